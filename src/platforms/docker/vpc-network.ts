/** The networks of VPCs: bridges of the engine, made for people who run containers of their own in them. */
import type Docker from "dockerode";
import type { StepOutcome } from "../../planner/step.ts";
import type { NetworkSurvey, PlatformNetwork } from "../platform.ts";
import { statusCode, unlessStatus } from "./container.ts";
import { type Context, installationLabels } from "./context.ts";
import { LABEL } from "./names.ts";
import { canonicalCidr, containersIn, hostRanges, SERVICE_POOL } from "./network.ts";

/** The engine's own networks, in which nothing is found by a name. */
const NAMELESS: ReadonlyMap<string, string> = new Map([
  ["bridge", "the engine's default bridge has no names"],
  ["host", "it is the host's own network"],
  ["none", "it is no network at all"],
]);
/** Networks that reach over machines take containers only where they say so. */
const SINGLE_MACHINE = "local";

export async function surveyNetworks({ docker, installationId }: Context): Promise<NetworkSurvey> {
  const found = await docker.listNetworks();
  const networks = found.map((network): PlatformNetwork => {
    const { [LABEL.installation]: installation, [LABEL.vpc]: vpc } = network.Labels ?? {};
    const vpcId = installation === installationId ? (vpc ?? null) : null;
    return { id: network.Id, name: network.Name, vpcId, notPeerable: whyNotPeerable(network) };
  });
  const isVpc = new Set(networks.flatMap(({ id, vpcId }) => (vpcId === null ? [] : [id])));
  const ofEngine = found.flatMap((network) =>
    subnetsOf(network).map((cidr) => ({
      cidr,
      usedBy: `the engine's network ${network.Name}`,
      id: network.Id,
    })),
  );
  const others = ofEngine.filter(({ id }) => !isVpc.has(id));
  const known = new Set(ofEngine.map(({ cidr }) => cidr));
  // The host stands in every bridge of its engine; what is told of those already is not told again.
  const ofHost = hostRanges().filter(({ cidr }) => !known.has(cidr));
  const used = [...SERVICE_POOL, ...others.map(({ cidr, usedBy }) => ({ cidr, usedBy })), ...ofHost];
  return { networks, usedRanges: used.toSorted((a, b) => a.cidr.localeCompare(b.cidr)) };
}

function subnetsOf({ IPAM }: Docker.NetworkInspectInfo): readonly string[] {
  return (IPAM?.Config ?? []).flatMap(({ Subnet }) => {
    // An IPv6 range may hold an IPv4 address in its text.
    return Subnet?.includes(".") && !Subnet.includes(":") ? [canonicalCidr(Subnet)] : [];
  });
}

function whyNotPeerable({ Name, Scope, Attachable, Labels }: Docker.NetworkInspectInfo): string | null {
  const nameless = NAMELESS.get(Name);
  if (nameless !== undefined) return nameless;
  if (Labels?.[LABEL.installation] !== undefined && Labels[LABEL.vpc] === undefined)
    return "it belongs to Howdah itself";
  return Scope === SINGLE_MACHINE || Attachable ? null : "it takes no containers that are run by hand";
}

/** One that is there already is left as it is. */
export async function ensureVpc(
  context: Context,
  { vpcId, cidr }: { readonly vpcId: string; readonly cidr: string },
): Promise<StepOutcome> {
  const { docker, names } = context;
  try {
    await docker.createNetwork({
      Name: names.vpc(vpcId),
      Driver: "bridge",
      CheckDuplicate: true,
      IPAM: { Driver: "default", Config: [{ Subnet: cidr }] },
      Labels: { ...installationLabels(context), [LABEL.vpc]: vpcId },
    });
    return { kind: "done" };
  } catch (error) {
    if (statusCode(error) === 409) return { kind: "done" };
    const why = reasonOf(error);
    // The engine refuses it; anything else is trouble with the engine itself.
    if (statusCode(error) !== 403 && !/overlap|invalid|subnet|pool/i.test(why)) throw error;
    return { kind: "failed", why: `the engine refuses its network: ${why}` };
  }
}

/** Nobody is thrown out of it. */
export async function removeVpc({ docker, names }: Context, vpcId: string): Promise<StepOutcome> {
  const network = docker.getNetwork(names.vpc(vpcId));
  try {
    await unlessStatus(404, () => network.remove());
    return { kind: "done" };
  } catch (error) {
    if (statusCode(error) !== 403 && statusCode(error) !== 409) throw error;
    const inside = await containersIn(docker, names.vpc(vpcId));
    return { kind: "wait", why: `in its network are still ${inside.join(", ") || "containers"}` };
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, " ").trim();
}
