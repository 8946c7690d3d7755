/** What may come next on a command line, read off the program's own commands and options. Pure. */
import type { Argument, Command, Option } from "commander";
import { SERVICE_ARGUMENT } from "../service/options.ts";

export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

export interface Suggestions {
  readonly values: readonly Suggestion[];
  /** The names of services are wanted too. */
  readonly services: boolean;
}

const NOTHING: Suggestions = { values: [], services: false };

/** @param words what follows the program's name; the last is the one that is being typed, and may be empty */
export function suggest(program: Command, words: readonly string[]): Suggestions {
  // Some shells take an equals sign for a word of its own.
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const last = words.at(-1) ?? "";
  const current = last === "=" ? "" : last;
  const { command, given, previous, endOfOptions } = walk(program, before);
  if (endOfOptions) return NOTHING;
  if (previous?.required) return starting(current, choices(previous.argChoices));
  if (current.startsWith("-")) {
    const [flag, value] = splitFlag(current);
    if (value === undefined) return starting(current, flagsOf(command));
    const option = command.options.find(({ long }) => long === flag);
    return starting(current, choices(option?.argChoices?.map((choice) => `${flag}=${choice}`)));
  }
  const optional = choices(previous?.argChoices);
  if (command.commands.length > 0) return starting(current, [...commandsOf(command), ...optional]);
  const argument = argumentAt(command, given);
  const services = argument?.name() === SERVICE_ARGUMENT;
  return { ...starting(current, [...choices(argument?.argChoices), ...optional]), services };
}

interface Walked {
  readonly command: Command;
  /** How many arguments of it there are already. */
  readonly given: number;
  /** An option whose value would come next. */
  readonly previous: Option | null;
  readonly endOfOptions: boolean;
}

function walk(program: Command, words: readonly string[]): Walked {
  let command = program;
  let given = 0;
  let previous: Option | null = null;
  for (const word of words) {
    if (word === "--") return { command, given, previous: null, endOfOptions: true };
    if (previous?.required) previous = null;
    else if (word.startsWith("-") && word !== "-") {
      const option = command.options.find(({ short, long }) => word === short || word === long);
      previous = option && (option.required || option.optional) ? option : null;
    } else {
      previous = null;
      const inner = command.commands.find((one) => one.name() === word);
      if (inner) command = inner;
      else given += 1;
    }
  }
  return { command, given, previous, endOfOptions: false };
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

function commandsOf(command: Command): Suggestion[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));
}

function flagsOf(command: Command): Suggestion[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));
}

function choices(values: readonly string[] = []): Suggestion[] {
  return values.map((value) => ({ value, description: "" }));
}

function starting(beginning: string, suggestions: readonly Suggestion[]): Suggestions {
  return { values: suggestions.filter(({ value }) => value.startsWith(beginning)), services: false };
}

function splitFlag(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
