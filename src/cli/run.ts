import type { Command } from "commander";
import type { TerminalOutput } from "../lib/progress-line.ts";
import { describeFailure, EXIT } from "./failure.ts";

/** Runs what the arguments say, tells what went wrong, and returns the exit code. */
export async function runProgram(
  program: Command,
  args: readonly string[],
  stderr: TerminalOutput,
): Promise<number> {
  try {
    await program.parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, text } = describeFailure(error);
    if (text !== null) stderr.write(`howdah: ${text}\n`);
    return exitCode;
  }
}
