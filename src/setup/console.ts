/** The web console as a browser loads it: built where its sources have changed, and kept. */
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Report } from "./progress.ts";
import { runCommand } from "./run-command.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const CACHE = path.join(ROOT, "node_modules/.cache/howdah");
const VITE = path.join(ROOT, "node_modules/vite/bin/vite.js");
const CONFIG = path.join(ROOT, "console/vite.config.ts");
/** What the console is made of. */
const SOURCES = ["console", "src/client", "src/contract", "src/setup/console.ts", "package-lock.json"];
const BUILD_DEADLINE_MS = 5 * 60_000;
const DIGEST_LENGTH = 16;
/** Smaller files gain nothing. */
const LEAST_TO_COMPRESS = 1_000;

/**
 * The folder with the built console. Two processes that build at once make the same, and one of both is kept.
 * Throws CommandFailed where it cannot be built.
 */
export async function ensureConsole(logFile: string, report: Report): Promise<string> {
  const folder = path.join(CACHE, `console-${await digestOfSources()}`);
  if (await exists(folder)) return folder;
  report("building");
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(path.join(CACHE, "building-"));
  try {
    await runCommand(
      "env",
      // Whatever this process runs as, people get no development build.
      ["NODE_ENV=production", process.execPath, VITE, "build", "--config", CONFIG, "--outDir", unfinished],
      { report, logFile, deadlineMs: BUILD_DEADLINE_MS },
    );
    report("compressing");
    await compressAll(path.join(unfinished, "assets"));
    await rename(unfinished, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

async function digestOfSources(): Promise<string> {
  const hash = createHash("sha256");
  const lists = await Promise.all(SOURCES.map((source) => filesOf(path.join(ROOT, source))));
  for (const file of lists.flat().toSorted()) {
    const content = await readFile(file);
    hash.update(JSON.stringify([path.relative(ROOT, file), content.length])).update(content);
  }
  return hash.digest("hex").slice(0, DIGEST_LENGTH);
}

async function filesOf(source: string): Promise<string[]> {
  if (path.extname(source) !== "") return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() && !entry.name.includes(".test.") ? [path.join(entry.parentPath, entry.name)] : [],
  );
}

/** Beside each file, as the server sends it to whoever takes that. */
async function compressAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const content = await readFile(file);
    if (content.length < LEAST_TO_COMPRESS) continue;
    const [brotli, gzipped] = await Promise.all([
      promisify(brotliCompress)(content),
      promisify(gzip)(content),
    ]);
    await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
