import { mkdirSync } from "node:fs";
import path from "node:path";
import { type DestinationStream, destination, type Logger, pino } from "pino";

export type Log = Logger;

const SECRET_FIELDS = [
  "authorization",
  "cookie",
  "password",
  "initial_password",
  "secret",
  "secret_key",
  "api_key",
  "secrets",
  "DATABASE_URL",
  "databaseUrl",
  "connectionString",
];

/** Wherever these fields turn up, at the top or inside an object that was logged, nobody reads them. */
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

const URL_PASSWORD = /(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g;

export interface LogOptions {
  readonly level: string;
  /** A file to append to; null for standard error. */
  readonly file: string | null;
}

/** Lines of JSON. What is secret by its name, or is the password inside a URL, is replaced. */
export function createLog({ level, file }: LogOptions): Log {
  if (file !== null) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Synchronous: the last lines before a crash are the ones that are needed.
  return logTo(destination({ dest: file ?? 2, sync: true, mode: 0o600 }), level);
}

export function logTo(stream: DestinationStream, level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: (error: unknown) =>
          error instanceof Error ? withoutConstants(pino.stdSerializers.err(error)) : error,
      },
      redact: { paths: REDACTED, censor: "[redacted]" },
      hooks: { streamWrite: (line) => line.replace(URL_PASSWORD, "$1:[redacted]@") },
    },
    stream,
  );
}

/** Some exceptions carry every constant of their class along, which says nothing of the error. */
function withoutConstants(error: object): object {
  const told = Object.entries(error).filter(
    ([name, value]) => !(typeof value === "number" && /^[A-Z_]{3,}$/.test(name)),
  );
  return Object.fromEntries(told);
}
