import type { Command } from "commander";

/** Each example is what to type after `howdah`. */
export function addExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${examples.map((one) => `  howdah ${one}`).join("\n")}`);
}
