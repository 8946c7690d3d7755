import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { installPackages } from "./apt-packages.ts";
import {
  type AptSource,
  type DebianMirror,
  findDebianMirror,
  parseDeb822Sources,
  parseOneLineSources,
  renderSources,
} from "./apt-sources.ts";
import { mayInstallPackages } from "./docker-package.ts";
import { followEngine, hasImage } from "./engine-stream.ts";
import type { Report } from "./progress.ts";
import { CommandFailed, findProgram, runCommand } from "./run-command.ts";

const SUITE = "trixie";
const PUBLISHED_BASE = { repository: "debian", tag: `${SUITE}-slim` };
/** The same thing made here, where no registry can be reached. */
const OWN_BASE = { repository: "howdah/base", tag: SUITE };
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

const PULL_SILENCE_MS = 20_000;
const PULL_TIMEOUT_MS = 10 * 60_000;
const MAKE_TIMEOUT_MS = 15 * 60_000;
const IMPORT_TIMEOUT_MS = 5 * 60_000;

/** What the published slim image leaves out as well. */
const LEFT_OUT = [
  "/usr/share/doc/*",
  "/usr/share/man/*",
  "/usr/share/info/*",
  "/usr/share/locale/*",
  "/usr/share/lintian/*",
];

export class BaseImageUnavailable extends Error {
  override readonly name = "BaseImageUnavailable";
}

/** A reference to Debian's slim base: present, pulled, or made from the machine's Debian mirror. */
export async function ensureBaseImage(engine: Docker, logFile: string, report: Report): Promise<string> {
  const published = `${PUBLISHED_BASE.repository}:${PUBLISHED_BASE.tag}`;
  const own = `${OWN_BASE.repository}:${OWN_BASE.tag}`;
  if (await hasImage(engine, published)) return published;
  if (await hasImage(engine, own)) return own;

  report(`pulling ${published}`);
  const refusal = await pull(engine, report);
  if (refusal === undefined) return published;

  report(`${published} cannot be pulled; making the same base from a Debian mirror`);
  const folder = await mkdtemp(path.join(tmpdir(), "howdah-base-"));
  try {
    const archive = path.join(folder, "base.tar");
    await makeBase(archive, folder, refusal, { report, logFile });
    report("importing the base");
    await followEngine(
      (abortSignal) =>
        engine.importImage(archive, {
          repo: OWN_BASE.repository,
          tag: OWN_BASE.tag,
          changes: `LABEL org.howdah.base=${SUITE}`,
          abortSignal,
        }),
      { report, silenceMs: IMPORT_TIMEOUT_MS, deadlineMs: IMPORT_TIMEOUT_MS },
    );
    return own;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Why it could not be pulled; undefined when it was. */
async function pull(engine: Docker, report: Report): Promise<string | undefined> {
  try {
    await followEngine(
      (abortSignal) =>
        engine.createImage({ fromImage: PUBLISHED_BASE.repository, tag: PUBLISHED_BASE.tag, abortSignal }),
      { report, silenceMs: PULL_SILENCE_MS, deadlineMs: PULL_TIMEOUT_MS },
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Context {
  readonly report: Report;
  readonly logFile: string;
}

async function makeBase(archive: string, folder: string, refusal: string, context: Context): Promise<void> {
  const tool = await ensureTool(refusal, context);
  const mirror = await readMirror();
  try {
    await runTool(tool, archive, folder, mirror, context);
  } catch (error) {
    // The machine's mirror may carry its own suite only; the tool's default has them all.
    if (!(error instanceof CommandFailed) || mirror === undefined) throw error;
    await runTool(tool, archive, folder, undefined, context);
  }
}

type Tool = "mmdebstrap" | "debootstrap";

async function ensureTool(refusal: string, { report, logFile }: Context): Promise<Tool> {
  const present = await findTool();
  const hasKeyring = (await readFile(KEYRING).catch(() => undefined)) !== undefined;
  if (present !== undefined && hasKeyring) return present;
  if (await mayInstallPackages()) {
    report("installing mmdebstrap");
    // The keyring is named so that an old one is brought up to date: it has to know the suite's keys.
    await installPackages(["mmdebstrap", "debian-archive-keyring", "ca-certificates"], logFile, report);
    return (await findTool()) ?? "mmdebstrap";
  }
  throw new BaseImageUnavailable(
    `The base image cannot be pulled (${refusal}) and this user may not install the tool that makes one. Type one of:\n` +
      `  docker pull ${PUBLISHED_BASE.repository}:${PUBLISHED_BASE.tag}\n` +
      "  sudo apt-get install --yes mmdebstrap debian-archive-keyring",
  );
}

async function findTool(): Promise<Tool | undefined> {
  if ((await findProgram("mmdebstrap")) !== undefined) return "mmdebstrap";
  return (await findProgram("debootstrap")) === undefined ? undefined : "debootstrap";
}

async function runTool(
  tool: Tool,
  archive: string,
  folder: string,
  mirror: DebianMirror | undefined,
  context: Context,
): Promise<void> {
  const sources = mirror === undefined ? [] : renderSources(mirror, SUITE);
  const options = { ...context, deadlineMs: MAKE_TIMEOUT_MS };
  if (tool === "mmdebstrap") {
    const excludes = LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`);
    const args = ["--variant=minbase", `--keyring=${KEYRING}`, ...excludes, SUITE, archive, ...sources];
    return await runCommand(tool, args, options);
  }
  const root = path.join(folder, "root");
  await rm(root, { recursive: true, force: true });
  const from = mirror === undefined ? [] : [mirror.main];
  await runCommand(tool, ["--variant=minbase", `--keyring=${KEYRING}`, SUITE, root, ...from], options);
  if (sources.length > 0) await writeFile(path.join(root, "etc/apt/sources.list"), `${sources.join("\n")}\n`);
  const excludes = [...LEFT_OUT, "/var/cache/apt/*", "/var/lib/apt/lists/*"].map(
    (pattern) => `--exclude=.${pattern}`,
  );
  const args = [
    "--create",
    "--file",
    archive,
    "--directory",
    root,
    "--numeric-owner",
    "--one-file-system",
    ...excludes,
    ".",
  ];
  await runCommand("tar", args, options);
}

async function readMirror(): Promise<DebianMirror | undefined> {
  const folder = "/etc/apt/sources.list.d";
  const listed = (await readdir(folder).catch(() => []))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => path.join(folder, file));
  const sources: AptSource[] = [];
  for (const file of ["/etc/apt/sources.list", ...listed]) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (file.endsWith(".list")) sources.push(...parseOneLineSources(text));
    else if (file.endsWith(".sources")) sources.push(...parseDeb822Sources(text));
  }
  return findDebianMirror(sources, await readFile("/etc/os-release", "utf8").catch(() => ""));
}
