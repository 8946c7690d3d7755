/** Webhooks as clients see them, and what may stand in their URLs. */
import { isIP } from "node:net";
import { ApiError } from "../contract/errors.ts";
import type { Webhook, WebhookDelivery } from "../contract/webhooks.ts";
import { reachableAddresses } from "../lib/reachable-addresses.ts";
import type * as store from "../store/webhooks.ts";

export const MOST_WEBHOOKS = 20;

export const WEBHOOK_EXAMPLE: Webhook = {
  id: "w4k1p9s0zq",
  url: "https://hooks.example.com/howdah",
  description: "the team's chat",
  event_types: ["service.status", "service.role"],
  enabled: true,
  created: "2026-11-21T09:30:00.000Z",
  failures: 0,
};

export const DELIVERY_EXAMPLE: WebhookDelivery = {
  id: "7",
  message_id: "msg_k3v9x0q2abk3v9x0q2abk3v9",
  event_id: "42",
  event_type: "service.status",
  state: "pending",
  created: "2026-11-21T09:31:00.000Z",
  attempts: 1,
  last_attempt: "2026-11-21T09:31:00.000Z",
  next_attempt: "2026-11-21T09:31:05.000Z",
  response_status: 503,
  error: "the receiver answered 503",
  duration_ms: 41,
};

/** @param secret where it is new, and only there */
export function presentWebhook(webhook: store.Webhook, secret?: string): Webhook {
  const { id, url, description, event_types, enabled, disabled_reason, created_at, failures, rests_until } =
    webhook;
  return {
    id,
    url,
    description,
    event_types,
    enabled,
    ...(disabled_reason === null ? {} : { disabled_reason }),
    created: created_at.toISOString(),
    failures,
    ...(rests_until === null ? {} : { rests_until: rests_until.toISOString() }),
    ...(secret === undefined ? {} : { secret }),
  };
}

export function presentDelivery(delivery: store.Delivery): WebhookDelivery {
  const { event_id, last_attempt_at, response_status, error, duration_ms } = delivery;
  return {
    id: String(delivery.id),
    message_id: delivery.message_id,
    ...(event_id === null ? {} : { event_id: String(event_id) }),
    event_type: delivery.event_type,
    state: delivery.state,
    created: delivery.created_at.toISOString(),
    attempts: delivery.attempts,
    ...(last_attempt_at === null ? {} : { last_attempt: last_attempt_at.toISOString() }),
    ...(delivery.state === "pending" ? { next_attempt: delivery.due_at.toISOString() } : {}),
    ...(response_status === null ? {} : { response_status }),
    ...(error === null ? {} : { error }),
    ...(duration_ms === null ? {} : { duration_ms }),
  };
}

/**
 * The URL in its canonical form. Throws INVALID_REQUEST where it can never be sent to; what its name leads to is asked
 * with every try, since that may change.
 */
export function webhookUrl(text: string, allowed: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (why: string) => new ApiError("INVALID_REQUEST", `url ${why}`, { details: ACCEPTED });
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) throw refuse("must be an https URL");
  if (url.username !== "" || url.password !== "")
    throw refuse("must hold no credentials; requests are signed with the webhook's secret");
  url.hash = "";
  const reachable = reachableAddresses(allowed);
  const address = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const literal = isIP(address) !== 0;
  if (literal && !reachable.includes(address))
    throw refuse(`must not lead to ${address}, which is not public and not allowed here`);
  if (url.protocol === "http:" && !(literal ? reachable.isAllowed(address) : reachable.anyAllowed))
    throw refuse("must be https; http is for hosts in HOWDAH_WEBHOOK_ALLOW_CIDRS alone");
  return url.href;
}

const ACCEPTED = "Such as https://hooks.example.com/howdah, of a host on the public internet.";
