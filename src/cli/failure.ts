/** How a command ends that did not do what it was asked for: the exit code by kind, and the words. */
import { CommanderError } from "commander";
import type { ClientError, ConnectionCode } from "../client/index.ts";
import type { ErrorCode } from "../contract/errors.ts";
import { BadSettings } from "../lib/config.ts";

/** Documented in docs/cli.md and in --help. */
export const EXIT = {
  ok: 0,
  /** A mistake of the program, or something that nobody foresaw. */
  defect: 1,
  usage: 2,
  denied: 3,
  missing: 4,
  conflict: 5,
  unavailable: 6,
  overdue: 7,
  /** As shells say it of Ctrl-C. */
  interrupted: 130,
} as const;

/** Something that whoever typed the command has to change; the message tells what. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command that ends otherwise than it should have; its message is for people, and empty where all is said. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

const EXIT_BY_CODE: Readonly<Record<ErrorCode | ConnectionCode, number>> = {
  INVALID_REQUEST: EXIT.usage,
  NOT_AVAILABLE: EXIT.usage,
  UNAUTHORIZED: EXIT.denied,
  FORBIDDEN: EXIT.denied,
  ADDRESS_NOT_ALLOWED: EXIT.denied,
  DATABASE_LOGIN_REFUSED: EXIT.denied,
  NOT_FOUND: EXIT.missing,
  METHOD_NOT_ALLOWED: EXIT.defect,
  CONFLICT: EXIT.conflict,
  DELETION_PROTECTED: EXIT.conflict,
  NO_CAPACITY: EXIT.conflict,
  PAYLOAD_TOO_LARGE: EXIT.usage,
  UNSUPPORTED_MEDIA_TYPE: EXIT.defect,
  IDEMPOTENCY_KEY_REUSED: EXIT.conflict,
  QUERY_FAILED: EXIT.usage,
  QUERY_TIMEOUT: EXIT.usage,
  TOO_MANY_REQUESTS: EXIT.unavailable,
  INTERNAL: EXIT.defect,
  UNAVAILABLE: EXIT.unavailable,
  UNREACHABLE: EXIT.unavailable,
  TIMEOUT: EXIT.unavailable,
  UNEXPECTED_ANSWER: EXIT.defect,
};

/** For answers whose code this program does not know, such as a proxy's. */
const EXIT_BY_STATUS: Readonly<Partial<Record<number, number>>> = {
  400: EXIT.usage,
  401: EXIT.denied,
  403: EXIT.denied,
  404: EXIT.missing,
  409: EXIT.conflict,
  422: EXIT.usage,
  429: EXIT.unavailable,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
};

export interface Failure {
  readonly exitCode: number;
  /** null: nothing is left to be said. */
  readonly text: string | null;
}

export function describeFailure(error: unknown): Failure {
  // commander has said everything already.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, text: null };
  if (error instanceof CommandFailed) return { exitCode: error.exitCode, text: error.message || null };
  if (error instanceof UsageError || error instanceof BadSettings)
    return { exitCode: EXIT.usage, text: error.message };
  if (isClientError(error)) return { exitCode: exitCodeOf(error), text: describe(error) };
  return { exitCode: EXIT.defect, text: explain(error) };
}

/** By its name: loading the client for its class would make every command pay for it. */
function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === "ClientError";
}

function exitCodeOf({ code, status }: ClientError): number {
  const known: Readonly<Partial<Record<string, number>>> = EXIT_BY_CODE;
  const byStatus = status === null ? undefined : EXIT_BY_STATUS[status];
  return (code === "UNEXPECTED_ANSWER" ? byStatus : undefined) ?? known[code] ?? byStatus ?? EXIT.defect;
}

function describe({ code, message, details, requestId }: ClientError): string {
  const reference = code === "INTERNAL" && requestId !== null ? `Its log has it as ${requestId}.` : undefined;
  const lines = [message, ADVICE[code] ?? details ?? reference];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** What helps on the command line, in place of what the API says to any client. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  UNREACHABLE: "Is it running? npm start starts it.",
  DELETION_PROTECTED: "howdah service protect <service> off lifts that.",
};

/** Errors of ours have names of their own and messages for people; for all others the place matters. */
const DEFECTS: ReadonlySet<string> = new Set(["Error", "TypeError", "RangeError", "ReferenceError"]);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect = DEFECTS.has(error.name) && !("code" in error);
  return isDefect ? (error.stack ?? error.message) : error.message;
}
