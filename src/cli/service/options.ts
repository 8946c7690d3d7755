/** Options, arguments and help that many commands share. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { addExamples } from "../examples.ts";

export interface OutputOption {
  readonly output: "json" | "table";
}

export interface WaitOption {
  readonly wait: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The argument of every command that is about one service; completion knows it by this name. */
export const SERVICE_ARGUMENT = "service";
/** How whatever has a name and an id is meant on a command line. */
export const NAME_OR_ID = "its name, where that is unique, or its id";

const DEFAULT_TIMEOUT = "10m";
const LONGEST_TIMEOUT_MS = 24 * 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A command of a group, or of the program itself. Each example is what to type after the group's name. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const group = parent.parent ? `${parent.name()} ` : "";
  const command = parent.command(name).description(description);
  return addExamples(
    command,
    examples.map((one) => group + one),
  );
}

/** One that is about a service that exists. */
export function addServiceCommand(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  return addCommand(parent, name, description, examples).argument(`<${SERVICE_ARGUMENT}>`, NAME_OR_ID);
}

export function outputOption(): Option {
  return new Option("-o, --output <form>", "for people or for programs")
    .choices(["table", "json"])
    .default("table");
}

export function waitOptions(command: Command): Command {
  return command
    .option("--wait", "return when the change is in force", true)
    .option("--no-wait", "return when the change is accepted")
    .addOption(
      new Option("--timeout <duration>", "how long to wait: 90s, 10m, 1h")
        .argParser(parseDuration)
        .default(parseDuration(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT),
    );
}

export interface DryRunOption {
  readonly dryRun?: boolean;
}

export function dryRunOption(): Option {
  return new Option("--dry-run", "change nothing; tell the steps, and what clients would notice");
}

export function environmentOption(): Option {
  return new Option("--environment <tag>", "what it is for").choices(["DEV", "PROD"]);
}

export function sizeOptions(command: Command, sharedAllowed: boolean): Command {
  const orShared = sharedAllowed ? ", or shared" : "";
  return command
    .option("--cpu <millicores>", `1000 is one core${orShared}; implies the memory`)
    .option("--memory <gigabytes>", `such as 4${orShared}; implies the CPU`);
}

export interface SizeOption {
  readonly cpu?: string;
  readonly memory?: string;
}

/** The fields of a request that the options mean. */
export function sizeFields({ cpu, memory }: SizeOption): { cpu_millis?: string; memory_gbs?: string } {
  return {
    ...(cpu === undefined ? {} : { cpu_millis: cpu }),
    ...(memory === undefined ? {} : { memory_gbs: memory }),
  };
}

export function parseCount(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}

export function parseDuration(text: string): number {
  const [, amount = "0", unit = "s"] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit] ?? 0);
  if (ms < 1_000 || ms > LONGEST_TIMEOUT_MS)
    throw new InvalidArgumentError("It has to be such as 90s, 10m or 1h, and at most 24h.");
  return ms;
}
