/** The bodies that clients send. */
import { type Static, Type } from "typebox";
import { Addon, Environment } from "./service.ts";

/** More replicas than this would cost a primary more than they give; it also bounds every loop over members. */
export const MAX_REPLICAS = 8;

const digitsOr = (word: "shared" | null, what: string) =>
  Type.String({
    pattern: word ? `^([0-9]{1,9}|${word})$` : "^[0-9]{1,9}$",
    description: word ? `${what}, in digits, or the word ${word}` : `${what}, in digits`,
    examples: ["1000"],
  });

export const ServiceName = Type.String({
  minLength: 1,
  maxLength: 128,
  // PostgreSQL stores no NUL, and half a surrogate pair is no character.
  pattern: "^[^\\u0000\\p{Cs}]*$",
  description: "Human-readable name, 1 to 128 characters.",
  examples: ["orders"],
});

export const CreateServiceBody = Type.Object(
  {
    name: ServiceName,
    addons: Type.Optional(
      Type.Array(Addon, {
        maxItems: 8,
        description: "Left out: time-series. Empty: plain PostgreSQL.",
        examples: [["time-series", "ai"]],
      }),
    ),
    cpu_millis: Type.Optional(digitsOr("shared", "Millicores")),
    memory_gbs: Type.Optional(digitsOr("shared", "Gigabytes")),
    environment_tag: Type.Optional(Environment),
    region_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    replica_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_REPLICAS, description: "HA replicas, all asynchronous." }),
    ),
  },
  { additionalProperties: false, title: "CreateService" },
);
export type CreateServiceBody = Static<typeof CreateServiceBody>;

export const SetHaBody = Type.Object(
  {
    replica_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_REPLICAS, description: "HA replicas of any kind." }),
    ),
    sync_replica_count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_REPLICAS, description: "How many of them are synchronous." }),
    ),
  },
  { additionalProperties: false, minProperties: 1, title: "SetHa" },
);
export type SetHaBody = Static<typeof SetHaBody>;

export const ResizeBody = Type.Object(
  {
    cpu_millis: Type.Optional(digitsOr(null, "Millicores")),
    memory_gbs: Type.Optional(digitsOr(null, "Gigabytes")),
  },
  { additionalProperties: false, minProperties: 1, title: "Resize" },
);
export type ResizeBody = Static<typeof ResizeBody>;

export const RenameBody = Type.Object(
  { name: ServiceName },
  { additionalProperties: false, title: "RenameService" },
);
export type RenameBody = Static<typeof RenameBody>;

/** Longer ones would only cost time: SCRAM hashes every byte. */
const MAX_PASSWORD_LENGTH = 256;

export const UpdatePasswordBody = Type.Object(
  {
    password: Type.String({
      minLength: 8,
      maxLength: MAX_PASSWORD_LENGTH,
      pattern: "^[^\\u0000\\p{Cs}]*$",
      format: "password",
      description: `The new password of tsdbadmin, 8 to ${MAX_PASSWORD_LENGTH} characters.`,
    }),
  },
  { additionalProperties: false, title: "UpdatePassword" },
);
export type UpdatePasswordBody = Static<typeof UpdatePasswordBody>;

export const SetEnvironmentBody = Type.Object(
  { environment: Environment },
  { additionalProperties: false, title: "SetEnvironment" },
);
export type SetEnvironmentBody = Static<typeof SetEnvironmentBody>;

export const ForkServiceBody = Type.Object(
  {
    fork_strategy: Type.Union([Type.Literal("NOW"), Type.Literal("LAST_SNAPSHOT"), Type.Literal("PITR")], {
      description: "Which moment of the parent the fork begins with.",
    }),
    target_time: Type.Optional(Type.String({ format: "date-time", description: "The moment, for PITR." })),
    name: Type.Optional(ServiceName),
    cpu_millis: Type.Optional(digitsOr("shared", "Millicores")),
    memory_gbs: Type.Optional(digitsOr("shared", "Gigabytes")),
    environment_tag: Type.Optional(Environment),
  },
  { additionalProperties: false, title: "ForkService" },
);
export type ForkServiceBody = Static<typeof ForkServiceBody>;

/** More would no longer fit into what the endpoint can be told at once. */
const MAX_CIDRS = 100;

/** Both what is sent and what is answered. */
export const AllowList = Type.Object(
  {
    cidrs: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: MAX_CIDRS,
      description: "Ranges of addresses from which clients may connect, IPv4 and IPv6. Empty: nobody.",
      examples: [["192.0.2.0/24", "2001:db8::/32"]],
    }),
  },
  { additionalProperties: false, title: "AllowList" },
);
export type AllowList = Static<typeof AllowList>;

/** Both what is sent and what is answered. */
export const DeletionProtection = Type.Object(
  { deletion_protection: Type.Boolean({ description: "Whether a deletion of the service is refused." }) },
  { additionalProperties: false, title: "DeletionProtection" },
);
export type DeletionProtection = Static<typeof DeletionProtection>;

/** Of operations that have nothing more to answer than that they were done. */
export const Message = Type.Object({ message: Type.String() }, { title: "Message" });
export type Message = Static<typeof Message>;
