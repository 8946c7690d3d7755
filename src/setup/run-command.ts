import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Report } from "./progress.ts";

/** Where system programs live; root's PATH under `su` or a bare container often lacks the sbin folders. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const LINES_KEPT = 12;
const KILL_AFTER_MS = 5_000;

export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

export interface CommandOptions {
  readonly report: Report;
  /** Everything the command writes is appended here. */
  readonly logFile: string;
  readonly deadlineMs: number;
}

/** The path of a system program, or undefined where the machine has none. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of SYSTEM_FOLDERS) {
    const file = path.join(folder, name);
    const executable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return file;
  }
  return undefined;
}

/**
 * Runs a system program to its end, reporting each line it writes.
 * Throws CommandFailed, with its last lines in the message, where it fails or outlives its deadline.
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  { report, logFile, deadlineMs }: CommandOptions,
): Promise<void> {
  await mkdir(path.dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile, { flags: "a", mode: 0o600 });
  // Nothing may ask a question, and messages have to be the ones that people can search for.
  const settings = [`PATH=${SYSTEM_FOLDERS.join(":")}`, "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"];
  const child = spawn("env", [...settings, program, ...args], { stdio: ["ignore", "pipe", "pipe"] });

  const lastLines: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    output.pipe(log, { end: false });
    createInterface({ input: output }).on("line", (line) => {
      if (line.trim() === "") return;
      lastLines.push(line);
      if (lastLines.length > LINES_KEPT) lastLines.shift();
      report(line);
    });
  }

  try {
    const failure = await end(child, deadlineMs);
    if (failure === undefined) return;
    throw new CommandFailed(
      [
        `${path.basename(program)} ${failure}:`,
        ...lastLines.map((line) => `  ${line}`),
        `All of it: ${logFile}`,
      ].join("\n"),
    );
  } finally {
    log.end();
  }
}

/** Resolves with what went wrong, if anything. */
function end(child: ChildProcess, deadlineMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let late = false;
    const killers: NodeJS.Timeout[] = [];
    const deadline = setTimeout(() => {
      late = true;
      child.kill("SIGTERM");
      killers.push(setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS));
    }, deadlineMs);
    const settle = () => {
      for (const timer of [deadline, ...killers]) clearTimeout(timer);
    };
    child.once("error", (error) => {
      settle();
      reject(error);
    });
    child.once("close", (code, signal) => {
      settle();
      if (late) resolve(`was still busy after ${deadlineMs / 1_000} s`);
      else if (code === 0) resolve(undefined);
      else resolve(code === null ? `was ended by ${signal}` : `failed with ${code}`);
    });
  });
}
