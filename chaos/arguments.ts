import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Shape } from "./fault.ts";
import { EXTRAS, type Extra } from "./schedule.ts";

export interface RealArguments {
  readonly mode: "real";
  readonly seed: number;
  readonly durationMs: number;
  readonly services: readonly Shape[];
  readonly clients: number;
  readonly everyMs: number;
  readonly extras: readonly Extra[];
  /** Where the whole report goes as JSON; null: nowhere. */
  readonly json: string | null;
  /** Where the control plane's log goes; null: it is kept only where a law was broken. */
  readonly log: string | null;
  /** Shows the schedule, and nothing happens. */
  readonly dry: boolean;
  /** The name of a kept run, whose services and faults take the place of the seed's; null: none. */
  readonly kept: string | null;
  /** Where the engine of a run's own lives; given by the program to itself alone. */
  readonly engineFolder: string | null;
}

export interface SimulatedArguments {
  readonly mode: "simulated";
  readonly seed: number;
  readonly count: number;
  readonly durationMs: number;
}

export type Arguments = RealArguments | SimulatedArguments | { readonly mode: "help" };

export const USAGE = `npm run chaos -- [options]

  --seed N         which faults happen when; the same seed, minutes and services give the same ones (random)
  --minutes N      from the first fault to the last, 0.1 to 600 (2; simulated 1)
  --services LIST  replicas of each service, s and a number for synchronous ones, such as 0,1,1s,2s,2s2 (0,1,1s,2s)
  --clients N      of each route of each service, the endpoint and the pooler, 1 to 50 (2)
  --every MS       from one write of a client to its next, 1 to 10000 (50)
  --with LIST      what happens only when asked for:
                   outage: the control plane is away for 20 s to 60 s
                   engine: the engine is restarted, one of the run's own; on Linux, as root
  --json FILE      writes everything that was found there
  --log FILE       appends there what the control plane writes
  --dry            shows what would happen
  --kept NAME      the services and faults of a run in chaos/seeds.ts that once found something
  --simulated      against a model on virtual time instead of containers, many times
  --count N        of simulated runs, with seeds from --seed on, 1 to 1000000 (1000)
  --help           this text
`;

const SHAPE = /^(\d)(?:s(\d?))?$/;
const MAX_SERVICES = 20;
const MAX_SEED = 2 ** 31;

/** Throws an Error that tells what would be accepted. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seed: { type: "string" },
      minutes: { type: "string" },
      services: { type: "string", default: "0,1,1s,2s" },
      clients: { type: "string", default: "2" },
      every: { type: "string", default: "50" },
      with: { type: "string", default: "" },
      json: { type: "string" },
      log: { type: "string" },
      dry: { type: "boolean", default: false },
      kept: { type: "string" },
      "engine-folder": { type: "string" },
      simulated: { type: "boolean", default: false },
      count: { type: "string", default: "1000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return { mode: "help" };
  const seed = whole("seed", values.seed ?? String(randomInt(1_000_000)), 0, MAX_SEED);
  const durationMs = Math.round(
    number("minutes", values.minutes ?? (values.simulated ? "1" : "2"), 0.1, 600) * 60_000,
  );
  if (values.simulated) {
    return { mode: "simulated", seed, durationMs, count: whole("count", values.count, 1, 1_000_000) };
  }
  return {
    mode: "real",
    seed,
    durationMs,
    services: readShapes(values.services),
    clients: whole("clients", values.clients, 1, 50),
    everyMs: whole("every", values.every, 1, 10_000),
    extras: values.with === "" ? [] : values.with.split(",").map(readExtra),
    json: values.json ?? null,
    log: values.log ?? null,
    dry: values.dry,
    kept: values.kept ?? null,
    engineFolder: values["engine-folder"] ?? null,
  };
}

/** The command that does the same again. */
export function commandLine(chosen: RealArguments): string {
  if (chosen.kept !== null) return `npm run chaos -- --kept ${chosen.kept}`;
  const options = [
    `--seed ${chosen.seed}`,
    `--minutes ${chosen.durationMs / 60_000}`,
    `--services ${chosen.services.map(describeShape).join(",")}`,
    `--clients ${chosen.clients}`,
    `--every ${chosen.everyMs}`,
    ...(chosen.extras.length > 0 ? [`--with ${chosen.extras.join(",")}`] : []),
  ];
  return `npm run chaos -- ${options.join(" ")}`;
}

/** Throws an Error that tells what would be accepted. */
export function readShapes(list: string): readonly Shape[] {
  const texts = list.split(",").map((text) => text.trim());
  if (texts.length > MAX_SERVICES) throw new Error(`--services takes at most ${MAX_SERVICES} of them`);
  return texts.map((text, at) => {
    const [, replicas, synchronous] = SHAPE.exec(text) ?? [];
    const replicaCount = Number(replicas);
    const syncReplicaCount = synchronous === undefined ? 0 : Number(synchronous || 1);
    if (replicas === undefined || syncReplicaCount > replicaCount) {
      throw new Error(`--services takes a list such as 0,1,1s,2s2; "${text}" is no service`);
    }
    const same = texts.slice(0, at).filter((other) => other === text).length;
    return { name: same === 0 ? text : `${text}-${same + 1}`, replicaCount, syncReplicaCount };
  });
}

function readExtra(text: string): Extra {
  const found = EXTRAS.find((extra) => extra === text.trim());
  if (found === undefined)
    throw new Error(`--with takes a list of ${EXTRAS.join(", ")}; "${text}" is none of them`);
  return found;
}

function describeShape({ name }: Shape): string {
  return name.replace(/-\d+$/, "");
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = number(name, text, least, most);
  if (!Number.isInteger(value)) throw new Error(`--${name} takes a whole number`);
  return value;
}

function number(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= most))
    throw new Error(`--${name} takes a number from ${least} to ${most}; "${text}" is none`);
  return value;
}
