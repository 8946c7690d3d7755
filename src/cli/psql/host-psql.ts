/** psql as this machine has it. */
import { execFile, spawn } from "node:child_process";
import { constants } from "node:os";
import { promisify } from "node:util";
import { FOREIGN_VARIABLES, type PsqlSession, sessionVariables } from "./session.ts";

const VERSION_TIMEOUT_MS = 5_000;

/** Its major version; null where this machine has none that works. */
export async function findHostPsql(): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)("psql", ["--version"], { timeout: VERSION_TIMEOUT_MS });
    const major = /\b(\d+)(?:\.\d+|devel|beta|rc)/.exec(stdout)?.[1];
    return major === undefined ? null : Number(major);
  } catch {
    return null;
  }
}

/** Hands the terminal over, and returns psql's exit code. */
export function runHostPsql(
  session: PsqlSession,
  args: readonly string[],
  { passwordFile, major }: { readonly passwordFile: string; readonly major: number },
): Promise<number> {
  const files = {
    passwordFile: session.password === null ? null : passwordFile,
    authorityFile: session.authorityFile,
  };
  const variables = Object.entries(sessionVariables(session, files, major)).map(
    ([name, value]) => `${name}=${value}`,
  );
  // A password in the environment would win over the file.
  const without = [...FOREIGN_VARIABLES, ...(session.password === null ? [] : ["PGPASSWORD"])];
  const settings = [...without.flatMap((name) => ["-u", name]), ...variables];
  const child = spawn("env", [...settings, "psql", ...args], { stdio: "inherit" });

  // A terminal's Ctrl-C reaches psql by itself, where it means the query and not the program.
  const terminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const passOn = (signal: NodeJS.Signals) => {
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, passOn);
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => {
    for (const signal of signals) process.off(signal, passOn);
  });
}
