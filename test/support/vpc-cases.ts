/** Situations of a service and its VPC, alike for one that runs and one that is stopped. */
import type { DesiredVpc } from "../../src/planner/desired.ts";
import type { ObservedAttachment, ObservedMember } from "../../src/planner/observed.ts";
import { standing } from "./observations.ts";
import { type Case, step } from "./rules.ts";

export const VPC: DesiredVpc = { vpcId: "7", cidr: "10.50.0.0/24", problem: null, peerings: [] };
export const PEERED: DesiredVpc = { ...VPC, peerings: [{ peeringId: "3", network: "apps" }] };
export const ATTACHED: ObservedAttachment = { joined: ["7"], ranges: ["10.50.0.0/24"], relays: [] };

const relay = (running: boolean, peeringId = "3"): ObservedAttachment => ({
  ...ATTACHED,
  relays: [{ peeringId, running }],
});

/** By the sentences of the rules. */
export function vpcCases(member: ObservedMember) {
  const at = (vpc: ObservedAttachment): Case["observed"] => {
    return (desired) => standing(desired, [member], { vpc });
  };
  const allowList = ["0.0.0.0/0", "::/0"];
  const list: readonly Case[] = [
    {
      when: "the endpoint has come into a VPC",
      desired: { settledGeneration: 1, vpc: VPC },
      observed: at({ ...ATTACHED, ranges: [] }),
      decides: step({ kind: "setAllowList", allowList, vpcRanges: ["10.50.0.0/24"] }),
    },
    {
      when: "the service was detached",
      desired: { settledGeneration: 1 },
      observed: at(ATTACHED),
      decides: step({ kind: "setAllowList", allowList }),
    },
    {
      when: "somebody has taken the endpoint out of its VPC",
      desired: { settledGeneration: 1, vpc: VPC },
      observed: at({ ...ATTACHED, joined: [] }),
      decides: step({ kind: "setAllowList", allowList }),
    },
  ];
  const leave: readonly Case[] = [
    {
      when: "the service was detached, and nobody is let in from there any more",
      desired: { settledGeneration: 1 },
      observed: at({ ...ATTACHED, ranges: [] }),
      decides: step({ kind: "leaveVpc", vpcId: "7" }),
    },
    {
      when: "it was attached to another one since",
      desired: { settledGeneration: 1, vpc: { ...VPC, vpcId: "8" } },
      observed: at({ ...ATTACHED, ranges: [] }),
      decides: step({ kind: "leaveVpc", vpcId: "7" }),
    },
    {
      when: "a peering was deleted",
      desired: { settledGeneration: 1, vpc: VPC },
      observed: at(relay(true)),
      decides: step({ kind: "removeRelay", peeringId: "3" }),
    },
  ];
  const join: readonly Case[] = [
    {
      when: "the service was attached",
      desired: { settledGeneration: 1, vpc: VPC },
      observed: (desired) => standing(desired, [member]),
      decides: step({ kind: "joinVpc", vpcId: "7" }),
    },
  ];
  const relays: readonly Case[] = [
    {
      when: "there is none for a peering yet",
      desired: { settledGeneration: 1, vpc: PEERED },
      observed: at(ATTACHED),
      decides: step({ kind: "ensureRelay", vpcId: "7", peeringId: "3", network: "apps" }),
    },
    {
      when: "one has stopped",
      desired: { settledGeneration: 1, vpc: PEERED },
      observed: at(relay(false)),
      decides: step({ kind: "ensureRelay", vpcId: "7", peeringId: "3", network: "apps" }),
    },
  ];
  return { list, leave, join, relays };
}
