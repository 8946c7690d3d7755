/** Switching a service's pooler on and off, answered once it is so. */
import type { Message } from "../contract/requests.ts";
import type { Db } from "../store/db.ts";
import { awaitService } from "../store/service-details.ts";
import type { Service } from "../store/service-row.ts";
import { changeShape } from "../store/services.ts";
import { changedService } from "./change.ts";
import { noSuchService } from "./missing.ts";
import type { SetTarget, Target } from "./target.ts";

/** How long the answer waits for it. */
const IN_FORCE_WITHIN_MS = 8_000;

export async function switchPooler(db: Db, target: Target | SetTarget, pooler: boolean): Promise<Message> {
  const word = pooler ? "enabled" : "disabled";
  const outcome = await changeShape(db, {
    ...target,
    eventType: `service.pooler.${word}`,
    status: null,
    decide: (current) => ({
      kind: "shape",
      shape: { ...current, pooler },
      message: `The pooler was ${word}.`,
    }),
  });
  changedService(outcome);
  const service = await awaitService(db, target, isInForce, IN_FORCE_WITHIN_MS);
  if (!service) throw noSuchService();
  return { message: describe(service) };
}

function isInForce({ power, pooler, in_force }: Service): boolean {
  return power === "stopped" || in_force?.pooler === pooler;
}

function describe(service: Service): string {
  if (!service.pooler) return "The pooler is disabled.";
  const address = `${service.endpoint_host}:${service.pooler_port}`;
  if (service.power === "stopped") return `The pooler is enabled, and answers at ${address} after the start.`;
  return isInForce(service)
    ? `The pooler answers at ${address}.`
    : `The pooler is enabled, and is about to answer at ${address}.`;
}
