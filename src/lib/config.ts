/** The only reader of the environment. */
import { homedir, hostname } from "node:os";
import path from "node:path";
import envSchema from "env-schema";
import { type Static, Type } from "typebox";
import { parseCidr } from "../contract/cidr.ts";
import { DEFAULT_SIZES, type DedicatedSize, parseSizes } from "../contract/size.ts";

export type PlatformName = Static<typeof PlatformName>;
const PlatformName = Type.Union([Type.Literal("docker"), Type.Literal("simulated")], {
  default: "docker",
  description: "docker or simulated",
});

const overcommit = (factor: number) =>
  Type.Number({ minimum: 1, maximum: 1000, default: factor, description: "a factor from 1 to 1000" });

const URL_TEXT = "postgres://user:password@host:port/database";

/** Each `description` tells what would be accepted; it is shown beside a value that is not. */
const Settings = Type.Object({
  HOWDAH_HOME: Type.String({ default: "~/.howdah", minLength: 1, description: "a folder" }),
  HOWDAH_HOST: Type.String({
    default: "127.0.0.1",
    pattern: "^[A-Za-z0-9.:_-]{1,253}$",
    description: "an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0",
  }),
  HOWDAH_PORT: Type.Integer({
    default: 8420,
    minimum: 1,
    maximum: 65_535,
    description: "a port number, 1 to 65535",
  }),
  HOWDAH_PUBLIC_HOST: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9.:_-]{1,253}$",
      description: "the address or host name by which clients reach this machine",
    }),
  ),
  DATABASE_URL: Type.Optional(Type.String({ pattern: "^postgres(ql)?://.+", description: URL_TEXT })),
  DOCKER_HOST: Type.Optional(Type.String()),
  DOCKER_CERT_PATH: Type.Optional(Type.String()),
  XDG_RUNTIME_DIR: Type.Optional(Type.String()),
  NO_COLOR: Type.Optional(Type.String()),
  HOWDAH_API_URL: Type.Optional(
    Type.String({
      pattern: "^https?://[^\\s?#@]+$",
      description: "the address of an API up to its version, such as http://127.0.0.1:8420/api/v1",
    }),
  ),
  HOWDAH_API_KEY: Type.Optional(Type.String()),
  HOWDAH_PROJECT_ID: Type.Optional(Type.String()),
  HOWDAH_PLATFORM: PlatformName,
  HOWDAH_SIZES: Type.String({ default: DEFAULT_SIZES }),
  HOWDAH_CPU_OVERCOMMIT: overcommit(8),
  HOWDAH_MEMORY_OVERCOMMIT: overcommit(2),
  HOWDAH_CONCURRENCY: Type.Integer({
    default: 8,
    minimum: 1,
    maximum: 256,
    description: "a number of services to work on at a time, 1 to 256",
  }),
  HOWDAH_RATE_LIMIT: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 1_000_000,
    description: "a number of requests in 10 seconds with one key, 1 to 1000000",
  }),
  HOWDAH_EVENT_DAYS: Type.Integer({
    default: 90,
    minimum: 1,
    maximum: 36_500,
    description: "how many days events are kept, 1 to 36500",
  }),
  HOWDAH_AUDIT_DAYS: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 36_500,
    description: "how many days the audit is kept, 1 to 36500",
  }),
  HOWDAH_WEBHOOK_ALLOW_CIDRS: Type.String({ default: "" }),
  HOWDAH_TRUSTED_PROXIES: Type.String({ default: "" }),
  HOWDAH_LOG_LEVEL: Type.Union(
    [
      Type.Literal("trace"),
      Type.Literal("debug"),
      Type.Literal("info"),
      Type.Literal("warn"),
      Type.Literal("error"),
      Type.Literal("silent"),
    ],
    { default: "info", description: "trace, debug, info, warn, error or silent" },
  ),
  HOWDAH_LOG_MB: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 100_000,
    description: "how much of its log a member keeps, in megabytes, 1 to 100000",
  }),
  HOWDAH_LOG_DAYS: Type.Integer({
    default: 7,
    minimum: 1,
    maximum: 3650,
    description: "for how long a member keeps its log, in days, 1 to 3650",
  }),
  HOWDAH_TEST_LABEL: Type.Optional(
    Type.String({ pattern: "^[A-Za-z0-9._-]{1,63}$", description: "letters, digits, dots, dashes" }),
  ),
});
type Settings = Static<typeof Settings>;

export interface Config {
  /** Absolute. */
  readonly home: string;
  /** What the API and the endpoints listen on. */
  readonly host: string;
  readonly port: number;
  /** The name that endpoints carry. */
  readonly publicHost: string;
  /** Null: the state database that Howdah itself starts. */
  readonly databaseUrl: string | null;
  /** Where to look for a container engine; see src/setup/engine-candidates.ts. */
  readonly engine: {
    readonly dockerHost: string | undefined;
    readonly dockerCertPath: string | undefined;
    readonly xdgRuntimeDir: string | undefined;
  };
  /** What clients ask, where it is not the installation in `home`. */
  readonly api: {
    readonly url: string | null;
    readonly key: string | null;
    readonly projectId: string | null;
  };
  readonly platform: PlatformName;
  readonly sizes: readonly DedicatedSize[];
  readonly cpuOvercommit: number;
  readonly memoryOvercommit: number;
  /** Services reconciled at a time. */
  readonly concurrency: number;
  /** Requests per 10 seconds and key. */
  readonly rateLimit: number;
  /** How long events are kept, and the audit. */
  readonly eventDays: number;
  readonly auditDays: number;
  /** Where webhooks may go beside the public internet; CIDRs. */
  readonly webhookAllow: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: Settings["HOWDAH_LOG_LEVEL"];
  /** What every member keeps of PostgreSQL's own log; taken up by those that are made from then on. */
  readonly logBounds: { readonly bytes: number; readonly seconds: number };
  /** Set by tests: everything made in an engine also carries the label howdah.test with this value. */
  readonly testLabel: string | null;
  readonly color: boolean;
}

/** Settings that cannot be used; the message names every one of them and what would be accepted. */
export class BadSettings extends Error {
  override readonly name = "BadSettings";
}

/**
 * Reads the settings. Empty variables count as unset.
 * Throws BadSettings.
 *
 * @param options what was said on the command line; it wins over the environment
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  options: { readonly platform?: string | undefined } = {},
): Config {
  const given = Object.fromEntries(
    Object.entries({
      ...environment,
      ...(options.platform ? { HOWDAH_PLATFORM: options.platform } : {}),
    }).filter(([name, value]) => name in Settings.properties && value !== undefined && value !== ""),
  );
  const sizes = readSizes(given["HOWDAH_SIZES"] ?? DEFAULT_SIZES);
  const complaints = typeof sizes === "string" ? [`  HOWDAH_SIZES: ${sizes}`] : [];
  const webhookAllow = readCidrs("HOWDAH_WEBHOOK_ALLOW_CIDRS", given, complaints);
  const trustedProxies = readCidrs("HOWDAH_TRUSTED_PROXIES", given, complaints);
  const listsAreRight = complaints.length === 0;
  const settings = readSettings(given, complaints);
  if (settings === null || typeof sizes === "string" || !listsAreRight) {
    throw new BadSettings(`These settings cannot be used:\n${complaints.toSorted().join("\n")}`);
  }
  return {
    home: absolute(settings.HOWDAH_HOME),
    host: settings.HOWDAH_HOST,
    port: settings.HOWDAH_PORT,
    publicHost: settings.HOWDAH_PUBLIC_HOST ?? publicName(settings.HOWDAH_HOST),
    databaseUrl: settings.DATABASE_URL ?? null,
    engine: {
      dockerHost: settings.DOCKER_HOST,
      dockerCertPath: settings.DOCKER_CERT_PATH,
      xdgRuntimeDir: settings.XDG_RUNTIME_DIR,
    },
    api: {
      url: settings.HOWDAH_API_URL ?? null,
      key: settings.HOWDAH_API_KEY ?? null,
      projectId: settings.HOWDAH_PROJECT_ID ?? null,
    },
    platform: settings.HOWDAH_PLATFORM,
    sizes,
    cpuOvercommit: settings.HOWDAH_CPU_OVERCOMMIT,
    memoryOvercommit: settings.HOWDAH_MEMORY_OVERCOMMIT,
    concurrency: settings.HOWDAH_CONCURRENCY,
    rateLimit: settings.HOWDAH_RATE_LIMIT,
    eventDays: settings.HOWDAH_EVENT_DAYS,
    auditDays: settings.HOWDAH_AUDIT_DAYS,
    webhookAllow,
    trustedProxies,
    logLevel: settings.HOWDAH_LOG_LEVEL,
    logBounds: {
      bytes: settings.HOWDAH_LOG_MB * 1024 ** 2,
      seconds: settings.HOWDAH_LOG_DAYS * 86_400,
    },
    testLabel: settings.HOWDAH_TEST_LABEL ?? null,
    color: settings.NO_COLOR === undefined,
  };
}

function readSettings(given: Record<string, string | undefined>, complaints: string[]): Settings | null {
  try {
    return envSchema<Settings>({ schema: Settings, data: given, env: false });
  } catch (error) {
    const names = violatedSettings(error);
    if (names.size === 0) throw error;
    for (const name of names) {
      // A connection string holds a password; it is not shown.
      const value = name === "DATABASE_URL" ? "not a connection string" : `"${given[name]}" is not accepted`;
      complaints.push(`  ${name}: ${value}; write ${accepted(name)}`);
    }
    return null;
  }
}

/** The validator reports a violated union once a branch; each setting is named once. */
function violatedSettings(error: unknown): ReadonlySet<string> {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) return new Set();
  const paths: unknown[] = error.errors.map(
    (violation: { instancePath?: unknown }) => violation.instancePath,
  );
  return new Set(paths.filter((item) => typeof item === "string").map((item) => item.slice(1)));
}

function accepted(name: string): string {
  const found = Object.entries(Settings.properties).find(([property]) => property === name);
  const schema: object = found?.[1] ?? {};
  return "description" in schema && typeof schema.description === "string" ? schema.description : "text";
}

function readSizes(list: string): readonly DedicatedSize[] | string {
  try {
    return parseSizes(list);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Parted by commas; an empty list where nothing is given. */
function readCidrs(
  name: string,
  given: Readonly<Record<string, string | undefined>>,
  complaints: string[],
): readonly string[] {
  const ranges = (given[name] ?? "").split(",").map((range) => range.trim());
  return ranges
    .filter((range) => range !== "")
    .flatMap((range) => {
      const choice = parseCidr(range);
      if (choice.kind === "cidr") return [choice.cidr];
      complaints.push(`  ${name}: ${choice.message}`);
      return [];
    });
}

function absolute(folder: string): string {
  return path.resolve(folder.replace(/^~(?=\/|$)/, homedir()));
}

/** An address that means "all of them" is no name to connect to. */
function publicName(host: string): string {
  return host === "0.0.0.0" || host === "::" ? hostname() : host;
}
