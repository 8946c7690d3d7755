/** Rules about the VPC that a service is attached to, whether it runs or not. */
import type { DesiredVpc } from "./desired.ts";
import { type Rule, type Situation, step, wait } from "./situation.ts";

/** Ranges that are let in beside the allow-list: of the VPC that is wanted, and only once the gateway stands in it. */
export function wantedVpcRanges({ desired: { vpc }, observed }: Situation): readonly string[] {
  return vpc && (observed.vpc?.joined ?? []).includes(vpc.vpcId) ? [vpc.cidr] : [];
}

/** After the rule about the allow-list, by which the sessions from there have ended. */
export const LEAVE_VPC: Rule = {
  sentence: "What leads from a VPC to the endpoint and is not wanted any more is cleared away.",
  decide: ({ desired: { vpc }, observed }) => {
    const { joined = [], relays = [] } = observed.vpc ?? {};
    const wanted = new Set(vpc?.peerings.map(({ peeringId }) => peeringId));
    const relay = relays.find(({ peeringId }) => !wanted.has(peeringId));
    if (relay) return step({ kind: "removeRelay", peeringId: relay.peeringId });
    const left = joined.find((vpcId) => vpcId !== vpc?.vpcId);
    return left === undefined ? null : step({ kind: "leaveVpc", vpcId: left });
  },
};

export const JOIN_VPC: Rule = {
  sentence: "The endpoint stands in the network of the VPC that the service is attached to.",
  decide: ({ desired: { vpc }, observed }) =>
    vpc?.problem === null &&
    observed.gateway.state === "running" &&
    !(observed.vpc?.joined ?? []).includes(vpc.vpcId)
      ? step({ kind: "joinVpc", vpcId: vpc.vpcId })
      : null,
};

/** Last of all: the members' own affairs do not wait for it. */
export const RELAYS: Rule = {
  sentence: "Networks that the VPC is peered with reach the endpoint by a relay.",
  decide: ({ desired: { vpc }, observed }) => {
    const { joined = [], relays = [] } = observed.vpc ?? {};
    const missing = vpc && joined.includes(vpc.vpcId) ? missingRelay(vpc, relays) : undefined;
    return vpc && missing ? step({ kind: "ensureRelay", vpcId: vpc.vpcId, ...missing }) : null;
  },
};

export const VPC_MISSING: Rule = {
  sentence: "A VPC whose network is not there is waited for.",
  decide: ({ desired: { vpc } }) =>
    vpc === null || vpc.problem === null ? null : wait("vpc", `VPC ${vpc.vpcId}: ${vpc.problem}`),
};

function missingRelay(
  { peerings }: DesiredVpc,
  relays: readonly { readonly peeringId: string; readonly running: boolean }[],
) {
  const running = new Set(relays.flatMap((relay) => (relay.running ? [relay.peeringId] : [])));
  return peerings.find(({ peeringId }) => !running.has(peeringId));
}
