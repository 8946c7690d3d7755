import { type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "..");

export interface Ended {
  /** As a shell tells it: 128 and the signal's number for a program that a signal ended. */
  readonly exitCode: number;
  /** Empty where the program wrote to the terminal itself. */
  readonly output: string;
}

/** Runs a program of node_modules/.bin, or `node`, to its end; a signal that ends this process is passed on. */
export async function runTool(
  tool: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "env" | "stdio"> = {},
): Promise<Ended> {
  const program = tool === "node" ? process.execPath : path.join(ROOT, "node_modules/.bin", tool);
  // Tools are scripts of Node: they have to find the very Node that runs this.
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    ...options.env,
  };
  const child = spawn(program, args, { cwd: ROOT, stdio: options.stdio ?? ["ignore", "pipe", "pipe"], env });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  const passOn = (signal: NodeJS.Signals) => {
    // A terminal's Ctrl-C reaches the whole group by itself; told twice, a tool would not clean up after itself.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, passOn);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
    return { exitCode, output: output.join("") };
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}
