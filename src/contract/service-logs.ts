/** PostgreSQL's own log of a service. */
import { type Static, Type } from "typebox";

/** As PostgreSQL calls them, least first. */
export const SEVERITIES = [
  "DEBUG5",
  "DEBUG4",
  "DEBUG3",
  "DEBUG2",
  "DEBUG1",
  "LOG",
  "INFO",
  "NOTICE",
  "WARNING",
  "ERROR",
  "FATAL",
  "PANIC",
] as const;

export const LogEntry = Type.Object({
  timestamp: Type.String({ format: "date-time" }),
  severity: Type.String({ description: "As PostgreSQL calls it, such as LOG or ERROR." }),
  message: Type.String({
    description: "With its DETAIL, HINT, CONTEXT and STATEMENT, each on lines of its own.",
  }),
  node: Type.Optional(Type.String({ description: "The member that wrote it, such as member-0." })),
});
export type LogEntry = Static<typeof LogEntry>;

const Cursor = Type.Optional(
  Type.String({ description: "Only where older entries exist: asks for them, with the same filters." }),
);

export const ServiceLogs = Type.Object(
  {
    logs: Type.Array(Type.String(), { description: "The entries as text, newest first." }),
    entries: Type.Array(LogEntry, { description: "The same, in parts." }),
    last_cursor: Cursor,
    lastCursor: Cursor,
  },
  { title: "ServiceLogs" },
);
export type ServiceLogs = Static<typeof ServiceLogs>;
