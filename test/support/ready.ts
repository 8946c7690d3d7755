/** Services that a reconciler has seen ready, without one. */
import type { InForce } from "../../src/contract/in-force.ts";
import type { PassResult } from "../../src/store/pass-result.ts";
import { createReconcileQueue } from "../../src/store/reconcile-queue.ts";
import type { TestApi } from "./api.ts";

export const READY: PassResult = {
  status: "READY",
  statusReason: "Everything that was asked for is in force.",
  conditions: [],
  inForce: { settings: {}, passwordVersion: 1, allowList: ["0.0.0.0/0", "::/0"], primary: 0, pooler: false },
  waiting: null,
  settledGeneration: 1,
  attempts: 0,
  dueInMs: 60_000,
  withdrawn: null,
  events: [],
};

/** The record of a new service with one pass behind it, and its path. */
export async function readyService(
  api: TestApi,
  body: Record<string, unknown> = {},
): Promise<{ readonly id: string; readonly path: string }> {
  const { service_id: id } = await api.create(body);
  await pass(api, id, READY);
  return { id, path: `${api.services}/${id}` };
}

/** One pass over a service, which finds what `result` says; by default everything that was asked for last. */
export async function pass(api: TestApi, serviceId: string, result: Partial<PassResult> = {}): Promise<void> {
  const queue = createReconcileQueue(api.store.db, api.encryption, "test", 60_000);
  await queue.makeDue(serviceId);
  for (const due of await queue.claimDue(1_000)) {
    const found: PassResult =
      due.serviceId === serviceId
        ? { ...READY, settledGeneration: due.generation, ...result }
        : { ...READY, inForce: null, status: due.status, settledGeneration: null };
    await queue.finish(due, found);
  }
}

export function inForce(changes: Partial<InForce>): InForce {
  return {
    settings: {},
    passwordVersion: 1,
    allowList: ["0.0.0.0/0", "::/0"],
    primary: 0,
    pooler: false,
    ...changes,
  };
}
