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

test.each(aboutProjects(testProgram()).map((command) => [fullName(command), command] as const))(
  "every example of howdah %s is one that the program takes",
  async (_name, command) => {
    const examples = examplesOf(command, "");
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      let reached = false;
      const openServiceCli = async () => {
        reached = true;
        throw new Reached();
      };
      await runProgram(testProgram({ openServiceCli }), wordsOf(example), { write: () => undefined });
      expect({ example, reached }).toEqual({ example, reached: true });
    }
  },
);

test("the docs name every command about projects", () => {
  const names = aboutProjects(testProgram()).map(fullName);
  expect(names.filter((name) => !docs.includes(`howdah ${name.split(" ")[0]}`))).toEqual([]);
  const below = aboutProjects(testProgram()).map((command) => command.name());
  expect(below.filter((name) => !new RegExp(`\\b${name}\\b`).test(docs))).toEqual([]);
});

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

function examplesOf(command: Command, parent = "service "): string[] {
  return [...helpOf(command).matchAll(new RegExp(`^ {2}howdah (${parent}.+)$`, "gm"))].map(
    ([, words]) => words ?? "",
  );
}

/** Those that do something; a group of them does nothing by itself. */
function aboutProjects(program: Command): Command[] {
  const roots = program.commands.filter((command) =>
    ["events", "webhooks", "audit"].includes(command.name()),
  );
  return roots.flatMap((root) => (root.commands.length > 0 ? [...root.commands] : [root]));
}

function fullName(command: Command): string {
  const parent = command.parent?.name() ?? "";
  return parent === "howdah" ? command.name() : `${parent} ${command.name()}`;
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
  const [words = ""] = example.split(/ [<>]/);
  return [...words.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
