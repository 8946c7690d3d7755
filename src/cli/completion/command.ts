/** `howdah completion <shell>`, and the hidden command that the shells then ask. */
import { Argument, type Command } from "commander";
import type { ServiceRecord } from "../../client/index.ts";
import type { TerminalOutput } from "../../lib/progress-line.ts";
import { COMPLETE, completionScript, SHELLS, type Shell } from "./scripts.ts";
import { serviceWords } from "./service-words.ts";
import { suggest } from "./suggest.ts";

export interface CompletionSource {
  readonly stdout: TerminalOutput;
  /** The path of the program. */
  readonly program: string;
  /** Bounded in time by whoever gives it. */
  listServices(): Promise<readonly ServiceRecord[]>;
}

export function addCompletion(program: Command, source: CompletionSource): void {
  program
    .command("completion")
    .description("print what makes a shell complete words, options and names of services")
    .addArgument(new Argument("<shell>", "whose language").choices(SHELLS))
    .addHelpText("after", EXAMPLES)
    .action((shell: Shell) => {
      source.stdout.write(`${completionScript(shell, source.program)}\n`);
    });
  program
    .command(COMPLETE, { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { values, services } = suggest(program, words);
      const names = services ? serviceWords(await listServices(source), words.at(-1) ?? "") : [];
      for (const { value, description } of [...values, ...names])
        source.stdout.write(`${value}\t${description}\n`);
    });
}

/** Who presses Tab wants no error message. */
async function listServices(source: CompletionSource): Promise<readonly ServiceRecord[]> {
  try {
    return await source.listServices();
  } catch {
    return [];
  }
}

const EXAMPLES = `
Examples:
  source <(howdah completion bash)      in ~/.bashrc
  source <(howdah completion zsh)       in ~/.zshrc, after compinit
  howdah completion fish | source       in ~/.config/fish/config.fish`;
