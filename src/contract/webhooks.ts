/** Webhooks: events sent to a URL, signed as the Standard Webhooks specification has it. */
import { type Static, Type } from "typebox";
import { EVENT_TYPE_PATTERN } from "./event-types.ts";

const MOST_EVENT_TYPES = 20;

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "Where events are sent, by POST: an https URL without credentials.",
  }),
  description: Type.String({
    maxLength: 256,
    // PostgreSQL stores no NUL, and half a surrogate pair is no character.
    pattern: "^[^\\u0000\\p{Cs}]*$",
    description: "What it is for, at most 256 characters.",
  }),
  event_types: Type.Array(
    Type.String({
      maxLength: 128,
      pattern: EVENT_TYPE_PATTERN,
      description: "a type of events such as service.status, the beginning of some such as service.*, or *",
    }),
    {
      minItems: 1,
      maxItems: MOST_EVENT_TYPES,
      description: "Which events: service.resize means itself and all that begin with it; * means all.",
    },
  ),
  enabled: Type.Boolean({ description: "Whether events are sent." }),
};

export const CreateWebhookBody = Type.Object(
  {
    url: fields.url,
    description: Type.Optional(fields.description),
    event_types: Type.Optional(fields.event_types),
    enabled: Type.Optional(fields.enabled),
  },
  { additionalProperties: false, title: "CreateWebhook" },
);
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

export const UpdateWebhookBody = Type.Object(
  {
    url: Type.Optional(fields.url),
    description: Type.Optional(fields.description),
    event_types: Type.Optional(fields.event_types),
    enabled: Type.Optional(fields.enabled),
  },
  { additionalProperties: false, minProperties: 1, title: "UpdateWebhook" },
);
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

const time = Type.String({ format: "date-time" });

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: Type.String(),
    event_types: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    disabled_reason: Type.Optional(Type.String({ description: "Why Howdah has disabled it by itself." })),
    created: time,
    failures: Type.Integer({ description: "How many tries have failed since the last that did not." }),
    rests_until: Type.Optional(
      Type.String({ format: "date-time", description: "No try before this, since the last ones failed." }),
    ),
    secret: Type.Optional(
      Type.String({
        description: "whsec_…, to verify signatures with. Only where it is new; shown nowhere else.",
      }),
    ),
  },
  { title: "Webhook" },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookDelivery = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String({ description: "The header webhook-id, the same for every try." }),
    event_id: Type.Optional(Type.String({ description: "Left out for a test." })),
    event_type: Type.String(),
    state: Type.Union([Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("failed")], {
      description: "failed: given up.",
    }),
    created: time,
    attempts: Type.Integer(),
    last_attempt: Type.Optional(time),
    next_attempt: Type.Optional(time),
    response_status: Type.Optional(
      Type.Integer({ description: "Of the last try, where there was an answer." }),
    ),
    error: Type.Optional(Type.String({ description: "Why the last try failed." })),
    duration_ms: Type.Optional(Type.Integer({ description: "How long the last try took." })),
  },
  { title: "WebhookDelivery" },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveries = Type.Object(
  { deliveries: Type.Array(WebhookDelivery, { description: "Newest first." }) },
  { title: "WebhookDeliveries" },
);
export type WebhookDeliveries = Static<typeof WebhookDeliveries>;
