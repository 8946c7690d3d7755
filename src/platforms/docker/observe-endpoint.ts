/** What stands between clients and members: the gateway, and behind it the pooler. */
import type Docker from "dockerode";
import type { ObservedAttachment, ObservedGateway, ObservedPooler } from "../../planner/observed.ts";
import { observeAttachment } from "./attachment.ts";
import { inspectOrNull } from "./container.ts";
import type { Context } from "./context.ts";
import { hasForm } from "./form.ts";
import { GATEWAY_FORM, readGatewayState } from "./gateway.ts";
import { readTold } from "./gateway-admission.ts";
import { LABEL } from "./names.ts";
import type { ServiceNetwork } from "./network.ts";
import { POOLER_FORM } from "./pooler.ts";

interface Labelled {
  readonly Labels: Record<string, string> | null;
}

export interface ObservedEndpoint {
  readonly gateway: ObservedGateway;
  readonly pooler: ObservedPooler;
  readonly vpc?: ObservedAttachment;
}

/** @param containers @param volumes those of the service */
export async function observeEndpoint(
  context: Context,
  containers: readonly Docker.ContainerInfo[],
  volumes: readonly Labelled[],
  network: ServiceNetwork | null,
): Promise<ObservedEndpoint> {
  const { docker } = context;
  const gateway = containers.find(({ Labels }) => Labels[LABEL.role] === "gateway");
  const pooler = containers.find(({ Labels }) => Labels[LABEL.role] === "pooler");
  const gatewayRuns = isUpToDate(gateway, GATEWAY_FORM);
  const poolerRuns = isUpToDate(pooler, POOLER_FORM);
  const state = gatewayRuns && network ? await readGatewayState(network.addressOf("gateway")) : null;
  const told = state?.allowed ? readTold(state.allowed) : null;
  const vpc = observeAttachment(
    context,
    containers,
    gatewayRuns ? gateway : undefined,
    told?.vpcRanges ?? [],
  );
  return {
    ...(vpc ? { vpc } : {}),
    gateway: gatewayRuns
      ? {
          state: "running",
          serving: (state?.members.length ?? 0) > 0,
          allowList: told?.allowList ?? null,
        }
      : await gatewayAtRest(docker, gateway),
    pooler: {
      state: poolerRuns
        ? "running"
        : pooler || volumes.some(({ Labels }) => Labels?.[LABEL.role] === "pooler")
          ? "stopped"
          : "absent",
      // The gateway takes a moment to see that it is gone.
      serving: poolerRuns && (state?.pooling ?? 0) > 0,
    },
  };
}

async function gatewayAtRest(
  docker: Docker,
  found: Docker.ContainerInfo | undefined,
): Promise<ObservedGateway> {
  if (!found) return { state: "absent", serving: false, allowList: null };
  const problem = (await inspectOrNull(docker.getContainer(found.Id)))?.State.Error;
  return { state: "stopped", serving: false, allowList: null, ...(problem ? { problem } : {}) };
}

/** One of another form counts as stopped: it is asked for again, and made anew. */
function isUpToDate(container: Docker.ContainerInfo | undefined, form: string): boolean {
  return container !== undefined && container.State === "running" && hasForm(container.Labels, form);
}
