import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../test/support/postgres.ts";
import { DEFAULT_SIZES, parseSizes, SHARED_SIZE, type Size } from "../contract/size.ts";
import { PARAMETERS, type Parameter } from "./parameter-catalogue.ts";
import {
  canonicalValue,
  findParameter,
  type ParameterValue,
  rangeOf,
  refuseParameters,
} from "./parameters.ts";
import type { PostgresSettings } from "./settings.ts";

const SIZES: readonly Size[] = [SHARED_SIZE, ...parseSizes(`${DEFAULT_SIZES},1/1,64000/1024`)];
const LARGEST: Size = { kind: "dedicated", cpuMillis: 32_000, memoryGbs: 128 };
const SMALL: Size = { kind: "dedicated", cpuMillis: 500, memoryGbs: 2 };

/** Where a default is ours, and not PostgreSQL's own: storage is solid-state, and logs are read by people. */
const OURS: PostgresSettings = {
  random_page_cost: "1.1",
  effective_io_concurrency: "256",
  max_wal_size: "2GB",
  log_lock_waits: "on",
  log_checkpoints: "off",
};

/** What the PostgreSQL of these tests may lack; that of the service image has it, as the end-to-end tests show. */
const NOT_BUILT_IN = ["lz4", "zstd"];

interface Fact {
  readonly name: string;
  readonly vartype: string;
  readonly unit: string | null;
  readonly context: string;
  readonly boot_val: string;
  readonly min_val: string | null;
  readonly max_val: string | null;
  readonly enumvals: readonly string[] | null;
}

let server: Awaited<ReturnType<typeof startServer>>;
let client: Client;
let facts: ReadonlyMap<string, Fact>;

beforeAll(async () => {
  server = await startServer();
  client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Fact>("select * from pg_settings");
  facts = new Map(rows.map((row) => [row.name, row]));
}, 60_000);

afterAll(async () => {
  await client.query("alter system reset all");
  await client.end();
  await server.stop();
});

test("the catalogue is held to PostgreSQL 17, which the service image has", async () => {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
  expect(rows).toEqual([{ major: 17 }]);
});

test.each(PARAMETERS)("$name is described as PostgreSQL describes it", (parameter) => {
  const fact = factOf(parameter);
  expect({
    type: parameter.type,
    unit: "unit" in parameter ? parameter.unit : null,
    takenUp: parameter.restart ? "at a restart" : "at once",
  }).toEqual({ type: fact.vartype, unit: fact.unit, takenUp: takenUp(fact) });
});

test.each(PARAMETERS.filter(({ default: usual }) => usual !== null))(
  "$name has PostgreSQL's own default, or one that is known to be ours",
  (parameter) => {
    const own = canonicalValue(parameter, factOf(parameter).boot_val, LARGEST);
    const value = OURS[parameter.name] ?? (own.kind === "value" ? own.value : own.message);
    expect(parameter.default).toBe(value);
  },
);

test.each(PARAMETERS.filter((each) => "options" in each))(
  "$name has options that PostgreSQL knows",
  (parameter) => {
    const known = [...(factOf(parameter).enumvals ?? []), ...NOT_BUILT_IN];
    expect(known).toEqual(expect.arrayContaining([...parameter.options]));
  },
);

test.each(PARAMETERS.filter((each) => "min" in each))(
  "$name stays within PostgreSQL's bounds at every size",
  (parameter) => {
    const fact = factOf(parameter);
    for (const size of SIZES) {
      const { min, max } = rangeOf(parameter, size);
      for (const value of [min, max, parameter.special ?? min]) {
        expect(canonicalValue(parameter, value, size)).toEqual({ kind: "value", value });
      }
      const [least, lowest, highest] = [parameter.special ?? min, min, max].map((value) =>
        inBase(parameter, value),
      );
      expect(least).toBeGreaterThanOrEqual(Number(fact.min_val));
      expect(highest).toBeLessThanOrEqual(Number(fact.max_val));
      expect(lowest).toBeLessThan(highest ?? Number.NaN);
    }
  },
);

test.each(PARAMETERS.filter(({ restart }) => !restart))(
  "$name is printed by SHOW as it is written here, at its bounds and its default",
  async (parameter) => {
    for (const value of remarkable(parameter)) expect(await show(parameter.name, value)).toBe(value);
  },
);

describe("a value is written as SHOW prints it", () => {
  const cases: readonly (readonly [string, ParameterValue])[] = [
    ["work_mem", 4096],
    ["work_mem", "5000"],
    ["work_mem", "65536B"],
    ["work_mem", "0.5MB"],
    ["work_mem", " 1.5 MB "],
    ["work_mem", "30.1MB"],
    ["work_mem", "1e3kB"],
    ["work_mem", "+64kB"],
    ["effective_cache_size", 3000],
    ["effective_cache_size", "0.05TB"],
    ["effective_cache_size", "8193kB"],
    ["temp_buffers", "804kB"],
    ["temp_buffers", "812kB"],
    ["max_wal_size", 1000],
    ["max_wal_size", "1.5GB"],
    ["max_wal_size", "1048576kB"],
    ["checkpoint_timeout", 90],
    ["checkpoint_timeout", "0.5h"],
    ["checkpoint_timeout", "59600ms"],
    ["autovacuum_naptime", "2.5min"],
    ["statement_timeout", 90_000],
    ["statement_timeout", "1.5s"],
    ["statement_timeout", "1000500us"],
    ["statement_timeout", "1001500us"],
    ["statement_timeout", ".5h"],
    ["statement_timeout", "7d"],
    ["statement_timeout", "0s"],
    ["log_min_duration_statement", -1],
    ["default_statistics_target", "10.5"],
    ["default_statistics_target", "11.5"],
    ["random_page_cost", 1.1],
    ["random_page_cost", "4.00"],
    ["random_page_cost", "0.00001"],
    ["random_page_cost", "0.000123456"],
    ["random_page_cost", "5."],
    ["hash_mem_multiplier", "1.23456789"],
    ["jit_above_cost", "999999"],
    ["jit_above_cost", "1000000"],
    ["jit_above_cost", "123456.7"],
    ["jit_above_cost", "12345678"],
    ["autovacuum_vacuum_cost_delay", "2500us"],
    ["autovacuum_vacuum_cost_delay", "0.5"],
    ["autovacuum_vacuum_cost_delay", "0.02s"],
    ["autovacuum_vacuum_cost_delay", 1.2345],
    ["jit", true],
    ["jit", false],
    ["jit", 1],
    ["jit", "OFF"],
    ["jit", "of"],
    ["jit", "t"],
    ["jit", "Ye"],
    ["jit", "n"],
    ["log_statement", "DDL"],
    ["plan_cache_mode", "Force_Custom_Plan"],
  ];
  test.each(cases)("%s = %j", async (name, input) => {
    const canonical = canonicalValue(parameterOf(name), input, LARGEST);
    expect(canonical).toEqual({ kind: "value", value: await show(name, String(input)) });
  });
});

describe("what PostgreSQL cannot read is refused", () => {
  test.each<[string, string]>([
    ["work_mem", ""],
    ["work_mem", "."],
    ["work_mem", "MB"],
    ["work_mem", "64mb"],
    ["work_mem", "64 M B"],
    ["work_mem", "64MB; drop table x"],
    ["work_mem", "1e"],
    ["work_mem", "NaN"],
    ["statement_timeout", "10 sec"],
    ["statement_timeout", "1GB"],
    ["default_statistics_target", "100kB"],
    ["random_page_cost", "1,1"],
    ["random_page_cost", "infinity"],
    ["jit", "o"],
    ["jit", ""],
    ["jit", "enabled"],
    ["jit", "2"],
    ["log_statement", "ddl "],
    ["plan_cache_mode", ""],
  ])("%s = %j", async (name, input) => {
    expect(canonicalValue(parameterOf(name), input, LARGEST).kind).toBe("refused");
    await expect(show(name, input)).rejects.toThrow(/invalid value|outside the valid range|requires a/);
  });
});

describe("refused here, though PostgreSQL would take it", () => {
  test.each<[string, ParameterValue]>([
    ["work_mem", "0x1000"],
    ["work_mem", "010000"],
    ["work_mem", true],
    ["log_statement", 1],
    ["wal_compression", "on"],
    ["log_statement", "all"],
  ])("%s = %j", (name, input) => {
    expect(canonicalValue(parameterOf(name), input, LARGEST).kind).toBe("refused");
  });
});

describe("a refusal names the parameter and what is accepted", () => {
  test.each<[string, ParameterValue, string]>([
    [
      "max_connections",
      201,
      "max_connections must be a whole number from 75 to 200 at 0.5 CPU and 2 GB; 201 is not",
    ],
    [
      "work_mem",
      "1kB",
      "work_mem must be an amount of memory from 64kB to 256MB at 0.5 CPU and 2 GB " +
        '(in B, kB, MB, GB, TB; a number alone counts kB); "1kB" is not',
    ],
    [
      "shared_buffers",
      "1GB",
      "shared_buffers must be an amount of memory from 16MB to 819MB at 0.5 CPU and 2 GB " +
        '(in B, kB, MB, GB, TB; a number alone counts pages of 8kB); "1GB" is not',
    ],
    [
      "statement_timeout",
      "1ms",
      'statement_timeout must be a time from 1s to 7d, or 0 (in us, ms, s, min, h, d; a number alone counts ms); "1ms" is not',
    ],
    ["random_page_cost", -1, "random_page_cost must be a number from 0 to 1000; -1 is not"],
    ["jit", "maybe", 'jit must be on or off; "maybe" is not'],
    ["log_statement", "some", 'log_statement must be one of none, ddl, mod; "some" is not'],
  ])("%s = %j", (name, input, message) => {
    expect(canonicalValue(parameterOf(name), input, SMALL)).toEqual({ kind: "refused", message });
  });

  test("without repeating more than a line of what was sent", () => {
    const refused = canonicalValue(parameterOf("jit"), "x".repeat(60_000), SMALL);
    expect(JSON.stringify(refused).length).toBeLessThan(120);
  });
});

describe("what was chosen at one size", () => {
  const chosen = { jit: "off", max_connections: "400", shared_buffers: "1GB" };

  test("is refused at another that cannot hold it, by the first that does not fit", () => {
    expect(refuseParameters(chosen, SMALL)).toMatch(
      /^max_connections must be .* 75 to 200 at 0.5 CPU and 2 GB; "400" is not$/,
    );
    expect(refuseParameters({ shared_buffers: "1GB" }, SMALL)).toMatch(/^shared_buffers must be /);
  });

  test("is taken along where it fits", () => {
    expect(refuseParameters(chosen, { kind: "dedicated", cpuMillis: 1000, memoryGbs: 4 })).toBeNull();
    expect(refuseParameters({}, SHARED_SIZE)).toBeNull();
  });
});

test("what is not in the catalogue is not found, whatever its name", () => {
  for (const name of ["fsync", "wal_level", "WORK_MEM", "", "constructor", "__proto__"]) {
    expect(findParameter(name)).toBeNull();
  }
});

function parameterOf(name: string): Parameter {
  const parameter = findParameter(name);
  if (!parameter) throw new Error(`${name} is not in the catalogue`);
  return parameter;
}

function factOf({ name }: Parameter): Fact {
  const fact = facts.get(name);
  if (!fact) throw new Error(`PostgreSQL has no ${name}`);
  return fact;
}

/** Of a "backend" setting, open sessions would show the old value: such a one has no place in the catalogue. */
function takenUp({ context }: Fact): string {
  if (context === "postmaster") return "at a restart";
  return ["sighup", "superuser", "user"].includes(context) ? "at once" : context;
}

/** In bytes and in milliseconds. */
const UNIT_SIZES: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1024,
  "8kB": 8192,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The number that pg_settings would show. */
function inBase(parameter: Parameter, value: string): number {
  const { unit = "" } = "unit" in parameter ? parameter : {};
  const [, amount = "", suffix = ""] = /^([-\d.e+]*\d)([A-Za-z]*)$/.exec(value) ?? [];
  return (Number(amount) * (UNIT_SIZES[suffix || unit] ?? 1)) / (UNIT_SIZES[unit] ?? 1);
}

function remarkable(parameter: Parameter): readonly string[] {
  switch (parameter.type) {
    case "bool":
      return ["on", "off"];
    case "enum":
      return parameter.options.filter((option) => factOf(parameter).enumvals?.includes(option));
    case "integer":
    case "real": {
      const { min, max } = rangeOf(parameter, LARGEST);
      return [min, max, parameter.special ?? min, parameter.default ?? max];
    }
  }
}

/** What SHOW prints once PostgreSQL has taken up that value. Throws where it refuses it. */
async function show(name: string, value: string): Promise<string> {
  const quoted = `'${value.replaceAll("'", "''")}'`;
  if (facts.get(name)?.context !== "sighup") {
    await client.query(`set ${name} = ${quoted}`);
  } else {
    const before = await loadedAt();
    await client.query(`alter system set ${name} = ${quoted}`);
    await client.query("select pg_reload_conf()");
    while ((await loadedAt()) === before) await delay(2);
  }
  const { rows } = await client.query<{ value: string }>("select current_setting($1) as value", [name]);
  return rows[0]?.value ?? "";
}

async function loadedAt(): Promise<string> {
  const { rows } = await client.query<{ at: string }>("select pg_conf_load_time()::text as at");
  return rows[0]?.at ?? "";
}
