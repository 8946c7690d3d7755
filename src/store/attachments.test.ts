import { expect, test } from "vitest";
import { putService } from "../../test/support/drafts.ts";
import { openTestStore } from "../../test/support/store.ts";
import { attachToVpc, detachFromVpc } from "./attachments.ts";
import type { DueService } from "./due-service.ts";
import { createPeering, deletePeering } from "./peerings.ts";
import { createReconcileQueue, type ReconcileQueue } from "./reconcile-queue.ts";
import { notePeering, noteVpc } from "./vpc-networks.ts";
import { createVpc } from "./vpcs.ts";

const base = await openTestStore();
const { store, projectId, regionCode } = base;
const actor = "key:test";
const queue: ReconcileQueue = createReconcileQueue(store.db, base.encryption, "test", 10_000);

async function claim(): Promise<DueService | undefined> {
  const [service] = await queue.claimDue(1);
  return service;
}

/** As a pass does that found everything in force. */
async function settle(service: DueService | undefined): Promise<void> {
  if (!service) throw new Error("nothing was due");
  await queue.finish(service, {
    ...service,
    status: "READY",
    inForce: null,
    events: [],
    waiting: null,
    settledGeneration: service.generation,
    attempts: 0,
    dueInMs: 3_600_000,
    withdrawn: null,
  });
}

test("an attached service is told of its VPC and of the networks that are there, and hears of every change", async () => {
  const serviceId = await putService(base);
  const made = await createVpc(store.db, { projectId, actor, name: "v", cidr: "10.50.0.0/24", regionCode });
  if (made.kind !== "created") throw new Error(made.kind);
  const vpcId = made.vpc.id;
  const target = { projectId, serviceId, vpcId, actor };
  const vpc = { vpcId: String(vpcId), cidr: "10.50.0.0/24", peerings: [] };

  const first = await claim();
  expect(first?.vpc).toBeNull();
  await settle(first);

  await attachToVpc(store.db, target);
  const attached = await claim();
  expect(attached?.vpc).toEqual({ ...vpc, problem: "its network is being made" });
  expect(attached?.generation).toBeGreaterThan(attached?.settledGeneration ?? 0);
  await settle(attached);

  await noteVpc(store.db, vpc.vpcId, { networkId: null, problem: "the range is taken" });
  const refused = await claim();
  expect(refused?.vpc).toEqual({ ...vpc, problem: "the range is taken" });
  await settle(refused);

  await noteVpc(store.db, vpc.vpcId, { networkId: "0123", problem: null });
  const peered = await createPeering(store.db, target, {
    peer_account_id: "a",
    peer_region_code: regionCode,
    peer_vpc_id: "apps",
  });
  if (peered.kind !== "created") throw new Error(peered.kind);
  const there = await claim();
  expect(there?.vpc).toEqual({ ...vpc, problem: null });
  await settle(there);

  const peeringId = String(peered.peering.id);
  await notePeering(store.db, peeringId, { networkId: "4567", problem: null });
  const reached = await claim();
  expect(reached?.vpc).toEqual({ ...vpc, problem: null, peerings: [{ peeringId, network: "apps" }] });
  await settle(reached);

  await deletePeering(store.db, target, peered.peering.id);
  const alone = await claim();
  expect(alone?.vpc?.peerings).toEqual([]);
  await settle(alone);

  await detachFromVpc(store.db, target);
  expect((await claim())?.vpc).toBeNull();
});
