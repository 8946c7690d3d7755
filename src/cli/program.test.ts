/** Help and docs against the commands themselves. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { testProgram } from "../../test/support/cli.ts";
import { EXIT } from "./failure.ts";
import { runProgram } from "./run.ts";

const docs = await readFile(path.join(import.meta.dirname, "../../docs/cli.md"), "utf8");
const commands = serviceOf(testProgram()).commands;

class Reached extends Error {
  override readonly name = "Reached";
}

test.each(commands.map((command) => [command.name(), command] as const))(
  "every example of %s is one that the program takes",
  async (_name, command) => {
    const examples = examplesOf(command);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      let reached = false;
      const program = testProgram({
        openServiceCli: async () => {
          reached = true;
          throw new Reached();
        },
      });
      const written: string[] = [];
      await runProgram(program, wordsOf(example), { write: (text) => written.push(text) });
      expect({ example, reached, written }).toMatchObject({ example, reached: true });
    }
  },
);

test("the docs name every command of howdah service", () => {
  const missing = commands
    .map((command) => command.name())
    .filter((name) => !new RegExp(`\`${name}\\b`).test(docs));
  expect(missing).toEqual([]);
});

test("docs and help list every exit code", () => {
  const codes = Object.values(EXIT);
  expect(codes.filter((code) => !docs.includes(`\n| ${code} | `))).toEqual([]);
  const help = helpOf(serviceOf(testProgram()));
  expect(codes.filter((code) => !new RegExp(`(^|\\s)${code}\\b`, "m").test(help))).toEqual([]);
});

function serviceOf(program: Command): Command {
  const found = program.commands.find((command) => command.name() === "service");
  if (!found) throw new Error("there is no howdah service");
  return found;
}

function examplesOf(command: Command): string[] {
  return [...helpOf(command).matchAll(/^ {2}howdah (service .+)$/gm)].map(([, words]) => words ?? "");
}

/** With what was added to it. */
function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) });
  command.outputHelp();
  return written.join("");
}

/** As a shell parts them, up to a redirection. */
function wordsOf(example: string): string[] {
  const [words = ""] = example.split(" <");
  return [...words.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
