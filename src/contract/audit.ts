/** Who did what from where. */
import { type Static, Type } from "typebox";

export const AuditRecord = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: "date-time" }),
    actor: Type.String({ description: "key:<public key>, as in events." }),
    key_name: Type.String({ description: "What the API key was called." }),
    operation: Type.String({ description: "The operationId." }),
    method: Type.String(),
    path: Type.String({ description: "Without its query." }),
    service_id: Type.Optional(Type.String()),
    remote_address: Type.String(),
    request_id: Type.String({ description: "The header x-request-id, and what the log has." }),
    status: Type.Optional(
      Type.Integer({
        description: "Of the answer; left out where the process ended before it was written down.",
      }),
    ),
    error_code: Type.Optional(Type.String({ description: "What the request was refused with." })),
  },
  { title: "AuditRecord" },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const AuditRecords = Type.Object(
  {
    records: Type.Array(AuditRecord, { description: "Newest first." }),
    next_cursor: Type.Optional(Type.String({ description: "Where older records are; left out at the end." })),
  },
  { title: "AuditRecords" },
);
export type AuditRecords = Static<typeof AuditRecords>;
