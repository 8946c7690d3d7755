/** SQL on one service: what is asked, what is answered, and how a failure is told. */
import { type Static, Type } from "typebox";

export const QUERY_BOUNDS = {
  /** Characters. */
  sql: 100_000,
  rows: { least: 1, most: 10_000, usual: 500 },
  seconds: { least: 1, most: 300, usual: 30 },
  /** Results of one request; statements after that are run, and not told. */
  results: 20,
  /** What the values of one answer may take. */
  bytes: 8 * 1024 ** 2,
} as const;

/** PostgreSQL's own texts end at a NUL, and half a surrogate pair is no character. */
const TEXT = "^[^\\u0000\\p{Cs}]*$";
/** As long as PostgreSQL lets a name be. */
const NAME = { minLength: 1, maxLength: 63, pattern: TEXT } as const;

export const QueryBody = Type.Object(
  {
    sql: Type.String({
      minLength: 1,
      maxLength: QUERY_BOUNDS.sql,
      pattern: TEXT,
      description: "One statement or several; several are one transaction, unless they say otherwise.",
      examples: ["select now()"],
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: TEXT,
      format: "password",
      description: "Of the user. It is used for this one connection, and kept nowhere.",
    }),
    user: Type.Optional(Type.String({ ...NAME, description: "Left out: tsdbadmin." })),
    database: Type.Optional(Type.String({ ...NAME, description: "Left out: tsdb." })),
    read_only: Type.Optional(
      Type.Boolean({ description: "Whether writes fail, whatever the SQL says. Left out: true." }),
    ),
    max_rows: Type.Optional(
      Type.Integer({
        minimum: QUERY_BOUNDS.rows.least,
        maximum: QUERY_BOUNDS.rows.most,
        description:
          `Rows of each result. Left out: ${QUERY_BOUNDS.rows.usual}. A read-only query is stopped there; ` +
          "one that may write runs to its end, and further rows are not told.",
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: QUERY_BOUNDS.seconds.least,
        maximum: QUERY_BOUNDS.seconds.most,
        description: `For all statements together. Left out: ${QUERY_BOUNDS.seconds.usual}.`,
      }),
    ),
    explain: Type.Optional(
      Type.Union([Type.Literal("none"), Type.Literal("plan"), Type.Literal("analyze")], {
        description:
          "plan: how PostgreSQL would run the one statement. analyze: runs it, tells how that went, and rolls it back.",
      }),
    ),
  },
  { additionalProperties: false, title: "Query" },
);
export type QueryBody = Static<typeof QueryBody>;

export const QueryResult = Type.Object(
  {
    command: Type.String({ description: "As PostgreSQL calls it, such as SELECT or CREATE TABLE." }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: "As SQL writes it, such as numeric(10,2)." }),
      }),
    ),
    rows: Type.Array(Type.Array(Type.Unsafe<string | null>({ type: ["string", "null"] })), {
      description: "Values as PostgreSQL writes them; null is NULL.",
    }),
    row_count: Type.Integer({
      description:
        "Rows that the statement gave or changed; of one that was stopped, how many it had given by then.",
    }),
    truncated: Type.Boolean({ description: "Whether there are more rows than these." }),
  },
  { title: "QueryResult" },
);
export type QueryResult = Static<typeof QueryResult>;

export const QueryAnswer = Type.Object(
  {
    results: Type.Array(QueryResult, { description: "One for each statement, in order." }),
    plan: Type.Optional(
      Type.Unknown({ description: "What EXPLAIN (FORMAT JSON) says, where it was asked." }),
    ),
    notices: Type.Array(Type.Object({ severity: Type.String(), message: Type.String() }), {
      description: "What PostgreSQL said beside the results, the first hundred.",
    }),
    duration_ms: Type.Number({ description: "Without the login." }),
  },
  { title: "QueryAnswer" },
);
export type QueryAnswer = Static<typeof QueryAnswer>;

/** What PostgreSQL says of a failure beside its message. */
export interface QueryFailure {
  readonly sqlState: string;
  /** The character of the SQL, from 1, at which it stands; characters outside the BMP count once. */
  readonly position?: number | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  /** Where inside a function it happened. */
  readonly context?: string | undefined;
}

const FIRST_LINE = /^SQLSTATE ([0-9A-Z]{5})(?:, at character (\d+))?(?:\n|$)/;

/** The details of QUERY_FAILED; `readQueryFailure` reads them. */
export function writeQueryFailure({ sqlState, position, detail, hint, context }: QueryFailure): string {
  const where = position === undefined ? "" : `, at character ${position}`;
  return [
    `SQLSTATE ${sqlState}${where}`,
    ...(detail === undefined ? [] : [`DETAIL: ${detail}`]),
    ...(hint === undefined ? [] : [`HINT: ${hint}`]),
    ...(context === undefined ? [] : [`CONTEXT: ${context}`]),
  ].join("\n");
}

/** null: the details are not those of a statement that PostgreSQL refused. */
export function readQueryFailure(
  details: string | undefined,
): { readonly sqlState: string; readonly position: number | null; readonly more: string } | null {
  const found = FIRST_LINE.exec(details ?? "");
  if (!found?.[1] || details === undefined) return null;
  const position = found[2] === undefined ? null : Number(found[2]);
  return { sqlState: found[1], position, more: details.slice(found[0].length) };
}
