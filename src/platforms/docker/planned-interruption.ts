/** What stops the primary on purpose for a moment, so that clients wait for it instead of failing. */
import { setTimeout as delay } from "node:timers/promises";
import type { StepOutcome } from "../../planner/step.ts";
import type { Context } from "./context.ts";
import { holdDoor, leadsOnlyTo, readGatewayState, releaseDoor } from "./gateway.ts";
import { holdPooler } from "./hold-pooler.ts";
import type { ServiceNetwork } from "./network.ts";
import { runIn } from "./run-in.ts";

/** Longer than a restart or a switchover takes; what takes longer lets clients run into what is. */
const HOLD_MS = 20_000;
/** The gateway looks for the primary a few times a second. */
const SEEN_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 20;
const CHECKPOINT_TIMEOUT_MS = 120_000;
const CHECKPOINT = ["psql", "-Xqc", "checkpoint", "--host=/run", "--username=postgres", "--dbname=postgres"];

export interface Interruption {
  readonly serviceId: string;
  readonly network: ServiceNetwork;
  /** The ordinals of who leads before and after. */
  readonly from: number;
  readonly to: number;
}

/**
 * New connections wait at the gateway and transactions at the pooler, until the gateway leads to whoever leads then. Each
 * wait ends by itself, should this be cut off. Connections that are there, and sessions of the pooler, end with the server.
 */
export async function whileClientsWait(
  context: Context,
  { serviceId, network, from, to }: Interruption,
  work: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  await checkpoint(context, serviceId, from);
  const pooler = await holdPooler(context, serviceId);
  const gateway = network.addressOf("gateway");
  await quietly(context, serviceId, () => holdDoor(gateway, HOLD_MS));
  try {
    const outcome = await work();
    if (outcome.kind === "done") await untilLedTo(network, to);
    return outcome;
  } finally {
    await quietly(context, serviceId, () => releaseDoor(gateway));
    await pooler?.release();
  }
}

/** What is written out before is not written out while everybody waits. */
async function checkpoint(context: Context, serviceId: string, ordinal: number): Promise<void> {
  const container = context.docker.getContainer(context.names.member(serviceId, ordinal));
  await quietly(context, serviceId, () => runIn(container, CHECKPOINT, CHECKPOINT_TIMEOUT_MS));
}

/** Waits until new connections get to this member alone. False where they do not in some seconds. */
export async function untilLedTo(network: ServiceNetwork, ordinal: number): Promise<boolean> {
  const member = network.addressOf("firstMember", ordinal);
  const deadline = performance.now() + SEEN_WITHIN_MS;
  while (performance.now() < deadline) {
    if (leadsOnlyTo(await readGatewayState(network.addressOf("gateway")), member)) return true;
    await delay(LOOK_AGAIN_MS);
  }
  return false;
}

/** Clients notice more without it, and nothing else. */
async function quietly(context: Context, serviceId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.warn({ err: error, service: serviceId }, "clients could not be made to wait");
  }
}
