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

export const CreateServiceBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      // PostgreSQL stores no NUL, and half a surrogate pair is no character.
      pattern: "^[^\\u0000\\p{Cs}]*$",
      description: "Human-readable name, 1 to 128 characters.",
      examples: ["orders"],
    }),
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
