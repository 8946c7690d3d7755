/**
 * The networks of VPCs, kept as they are wanted: made, removed once nobody stands in them, and judged for peerings. Looks
 * at what is there each time, so that whatever was missed or undone from outside is found again.
 */
import { withDeadline } from "../lib/deadline.ts";
import type { Log } from "../lib/log.ts";
import type { NetworkSurvey, Platform } from "../platforms/platform.ts";
import type { Found, WantedPeering, WantedVpc } from "../store/vpc-networks.ts";
import { ANSWER_WITHIN_MS, startUpkeep, type Upkeep } from "./upkeep.ts";

/** The part of the store that knows VPCs. */
export interface VpcBook {
  wanted(regionCode: string): Promise<readonly WantedVpc[]>;
  reportUsedRanges(regionCode: string, ranges: NetworkSurvey["usedRanges"]): Promise<void>;
  noteVpc(vpcId: string, found: Found): Promise<void>;
  notePeering(peeringId: string, found: Found): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;

/** Looks once. Throws what the platform or the store throws, and DeadlineExceeded. Returns for each VPC that cannot be removed yet why. */
export async function keepVpcs(
  book: VpcBook,
  regionCode: string,
  platform: Platform,
): Promise<ReadonlyMap<string, string>> {
  const before = await answered(platform.surveyNetworks());
  await book.reportUsedRanges(regionCode, before.usedRanges);
  // Asked for after the look: what is there and not wanted then was deleted.
  const wanted = await book.wanted(regionCode);
  const lingering = await removeOthers(platform, before, new Set(wanted.map(({ vpcId }) => vpcId)));
  const problems = await makeMissing(platform, before, wanted);
  const survey = problems === null ? before : await answered(platform.surveyNetworks());
  for (const vpc of wanted) {
    const network = survey.networks.find(({ vpcId }) => vpcId === vpc.vpcId);
    const problem = problems?.get(vpc.vpcId) ?? "its network is not there";
    const found: Found = network ? { networkId: network.id, problem: null } : { networkId: null, problem };
    if (differs(vpc, found)) await book.noteVpc(vpc.vpcId, found);
    for (const peering of vpc.peerings) {
      const judged = judge(peering, vpc.vpcId, regionCode, survey);
      if (differs(peering, judged)) await book.notePeering(peering.peeringId, judged);
    }
  }
  return lingering;
}

function answered<T>(asked: Promise<T>): Promise<T> {
  return withDeadline(ANSWER_WITHIN_MS, asked);
}

/** First of all, so that a range is free for the VPC that comes after. */
async function removeOthers(
  platform: Platform,
  { networks }: NetworkSurvey,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const lingering = new Map<string, string>();
  for (const { vpcId } of networks) {
    if (vpcId === null || wanted.has(vpcId)) continue;
    const outcome = await answered(platform.removeVpc(vpcId));
    if (outcome.kind !== "done") lingering.set(vpcId, outcome.why);
  }
  return lingering;
}

/** Why one could not be made, by the VPC; null where none was missing. */
async function makeMissing(
  platform: Platform,
  { networks }: NetworkSurvey,
  wanted: readonly WantedVpc[],
): Promise<ReadonlyMap<string, string> | null> {
  const there = new Set(networks.map(({ vpcId }) => vpcId));
  const missing = wanted.filter(({ vpcId }) => !there.has(vpcId));
  if (missing.length === 0) return null;
  const problems = new Map<string, string>();
  for (const vpc of missing) {
    const outcome = await answered(platform.ensureVpc(vpc));
    if (outcome.kind !== "done") problems.set(vpc.vpcId, outcome.why);
  }
  return problems;
}

function judge(
  { network: name, regionCode: peerRegion }: WantedPeering,
  vpcId: string,
  regionCode: string,
  { networks }: NetworkSurvey,
): Found {
  const refused = (problem: string): Found => ({ networkId: null, problem });
  if (peerRegion !== regionCode)
    return refused(`the VPC is in region ${regionCode}, and reaches no network of region ${peerRegion}`);
  const network = networks.find((each) => each.name === name);
  if (!network) return refused(`the engine has no network ${name}`);
  if (network.vpcId === vpcId) return refused(`${name} is the network of this VPC itself`);
  if (network.notPeerable !== null) return refused(`${name} cannot be peered with: ${network.notPeerable}`);
  return { networkId: network.id, problem: null };
}

function differs(known: Pick<WantedVpc, "networkId" | "problem">, found: Found): boolean {
  return known.networkId !== found.networkId || known.problem !== found.problem;
}

/** All that users can change of it. */
function whatIsAsked(wanted: readonly WantedVpc[]): string {
  return JSON.stringify(
    wanted.map(({ vpcId, peerings }) => [vpcId, peerings.map(({ peeringId }) => peeringId)]),
  );
}

/** Goes on doing so until it is stopped, and outlives every failure. */
export function startVpcUpkeep(book: VpcBook, platforms: ReadonlyMap<string, Platform>, log: Log): Upkeep {
  const told = new Map<string, string>();
  const seen = new Map<string, string>();
  let lookedAt = performance.now();
  const look = async () => {
    const due = performance.now() - lookedAt >= LOOK_EVERY_MS;
    for (const [code, platform] of platforms) {
      // Every change of any service pokes; the engine is asked only where it is one of VPCs.
      const asked = whatIsAsked(await book.wanted(code));
      if (!due && seen.get(code) === asked) continue;
      for (const [vpcId, why] of await keepVpcs(book, code, platform)) {
        if (told.get(vpcId) !== why)
          log.warn({ vpc: vpcId }, `the network of a deleted VPC stays for now: ${why}`);
        told.set(vpcId, why);
      }
      seen.set(code, asked);
    }
    if (due) lookedAt = performance.now();
  };
  return startUpkeep(look, LOOK_EVERY_MS, log);
}
