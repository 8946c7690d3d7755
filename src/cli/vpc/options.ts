import type { Command } from "commander";

/** A command with what every one has. Each example is what to type after `howdah vpc`. */
export function addVpcCommand(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  return parent
    .command(name)
    .description(description)
    .addHelpText("after", `\nExamples:\n${examples.map((one) => `  howdah vpc ${one}`).join("\n")}`);
}

/** Of every command that is about one that there is. */
export const VPC_ARGUMENT = ["<vpc>", "its name, where that is unique, or its id"] as const;
