import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import type { NetworkSurvey, Platform } from "../platforms/platform.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import type { Found, WantedPeering, WantedVpc } from "../store/vpc-networks.ts";
import { keepVpcs, startVpcUpkeep, type VpcBook } from "./vpc-upkeep.ts";

const REGION = "local";

/** A store in memory. */
function memoryBook(...vpcs: WantedVpc[]) {
  const noted: string[] = [];
  const wanted = new Map(vpcs.map((vpc) => [vpc.vpcId, vpc]));
  const book: VpcBook = {
    wanted: async () => [...wanted.values()],
    reportUsedRanges: async (_code, ranges) =>
      void noted.push(`used ${ranges.map(({ cidr }) => cidr).join()}`),
    async noteVpc(vpcId, found) {
      noted.push(`vpc ${vpcId}: ${found.problem ?? found.networkId}`);
      const vpc = wanted.get(vpcId);
      if (vpc) wanted.set(vpcId, { ...vpc, ...found });
    },
    async notePeering(peeringId, found) {
      noted.push(`peering ${peeringId}: ${found.problem ?? found.networkId}`);
      for (const vpc of wanted.values())
        wanted.set(vpc.vpcId, { ...vpc, peerings: judged(vpc, peeringId, found) });
    },
  };
  return { book, wanted, noted };
}

function judged({ peerings }: WantedVpc, peeringId: string, found: Found): WantedPeering[] {
  return peerings.map((each) => (each.peeringId === peeringId ? { ...each, ...found } : each));
}

function vpc(vpcId: string, peerings: readonly WantedPeering[] = []): WantedVpc {
  return { vpcId, cidr: `10.50.${vpcId}.0/24`, networkId: null, problem: null, peerings };
}

function peering(network: string, regionCode = REGION): WantedPeering {
  return { peeringId: "3", regionCode, network, networkId: null, problem: null };
}

/** A platform whose engine has these networks as well. */
function platformWith(...others: NetworkSurvey["networks"]): Platform {
  const platform = createSimulatedPlatform();
  return {
    ...platform,
    async surveyNetworks() {
      const { networks } = await platform.surveyNetworks();
      return {
        usedRanges: [{ cidr: "172.17.0.0/16", usedBy: "the engine" }],
        networks: [...networks, ...others],
      };
    },
  };
}

const APPS = { id: "0123", name: "apps", vpcId: null, notPeerable: null };
const idsOf = async (platform: Platform) =>
  (await platform.surveyNetworks()).networks.flatMap(({ vpcId }) => (vpcId === null ? [] : [vpcId]));

test("networks are made and removed as VPCs are wanted, and what is known of them is told once", async () => {
  const { book, wanted, noted } = memoryBook(vpc("1"), vpc("2"));
  const platform = platformWith();
  await keepVpcs(book, REGION, platform);
  await keepVpcs(book, REGION, platform);
  expect(await idsOf(platform)).toEqual(["1", "2"]);
  expect(noted).toEqual([
    "used 172.17.0.0/16",
    "vpc 1: simulated-1",
    "vpc 2: simulated-2",
    "used 172.17.0.0/16",
  ]);
  wanted.delete("1");
  await keepVpcs(book, REGION, platform);
  expect(await idsOf(platform)).toEqual(["2"]);
});

test("a network that somebody has removed comes back", async () => {
  const { book } = memoryBook(vpc("1"));
  const platform = platformWith();
  await keepVpcs(book, REGION, platform);
  await platform.removeVpc("1");
  await keepVpcs(book, REGION, platform);
  expect(await idsOf(platform)).toEqual(["1"]);
});

test("a range that the engine refuses is told, tried again, and in nobody's way", async () => {
  const { book, noted } = memoryBook(vpc("1"), vpc("2"));
  const platform = platformWith();
  const ensureVpc = vi
    .fn<Platform["ensureVpc"]>((asked) => platform.ensureVpc(asked))
    .mockResolvedValueOnce({ kind: "failed", why: "the range is taken" });
  await keepVpcs(book, REGION, { ...platform, ensureVpc });
  expect(noted).toContain("vpc 1: the range is taken");
  expect(noted).toContain("vpc 2: simulated-2");
  await keepVpcs(book, REGION, { ...platform, ensureVpc });
  expect(noted.at(-1)).toBe("vpc 1: simulated-1");
});

test("a network in which others still are is not removed, and it is told why", async () => {
  const { book } = memoryBook();
  const platform = platformWith();
  await platform.ensureVpc({ vpcId: "1", cidr: "10.50.1.0/24" });
  const removeVpc: Platform["removeVpc"] = async () => ({ kind: "wait", why: "in it is app-1" });
  const lingering = await keepVpcs(book, REGION, { ...platform, removeVpc });
  expect([...lingering]).toEqual([["1", "in it is app-1"]]);
});

describe("a peering", () => {
  test("is found as soon as its network is there, lost with it, and found again", async () => {
    const { book, noted } = memoryBook(vpc("1", [peering("apps")]));
    for (const networks of [[], [APPS], [], [{ ...APPS, id: "4567" }]])
      await keepVpcs(book, REGION, platformWith(...networks));
    expect(noted.filter((line) => line.startsWith("peering"))).toEqual([
      "peering 3: the engine has no network apps",
      "peering 3: 0123",
      "peering 3: the engine has no network apps",
      "peering 3: 4567",
    ]);
  });

  test.each([
    [
      "a network that cannot be peered with",
      peering("host"),
      "host cannot be peered with: it is the host's own",
    ],
    ["the VPC's own network", peering("vpc-1"), "vpc-1 is the network of this VPC itself"],
    [
      "a network of another region",
      peering("apps", "moon"),
      "the VPC is in region local, and reaches no network of region moon",
    ],
  ])("with %s fails, and says why", async (_what, wanted, problem) => {
    const { book, noted } = memoryBook(vpc("1", [wanted]));
    const host = { id: "0", name: "host", vpcId: null, notPeerable: "it is the host's own" };
    await keepVpcs(book, REGION, platformWith(APPS, host));
    expect(noted).toContain(`peering 3: ${problem}`);
  });
});

test("poked by what is no change of a VPC, it leaves the engine alone", async () => {
  const { book, wanted } = memoryBook(vpc("1"));
  const platform = platformWith();
  const surveyNetworks = vi.fn<Platform["surveyNetworks"]>(() => platform.surveyNetworks());
  const asked = vi.fn<VpcBook["wanted"]>((code) => book.wanted(code));
  const upkeep = startVpcUpkeep(
    { ...book, wanted: asked },
    new Map([[REGION, { ...platform, surveyNetworks }]]),
    pino({ enabled: false }),
  );
  upkeep.poke();
  await eventually(async () => expect(await idsOf(platform)).toEqual(["1"]));
  const [looks, questions] = [surveyNetworks.mock.calls.length, asked.mock.calls.length];
  upkeep.poke();
  await eventually(() => expect(asked.mock.calls.length).toBeGreaterThan(questions));
  expect(surveyNetworks).toHaveBeenCalledTimes(looks);
  wanted.set("2", vpc("2"));
  upkeep.poke();
  await eventually(async () => expect(await idsOf(platform)).toEqual(["1", "2"]));
  await upkeep.stop();
});

test("poked, it looks soon, and a platform that does not answer for a while stops nothing", async () => {
  const { book, noted } = memoryBook(vpc("1"));
  const platform = platformWith();
  const surveyNetworks = vi
    .fn<Platform["surveyNetworks"]>(() => platform.surveyNetworks())
    .mockRejectedValueOnce(new Error("no engine"));
  const upkeep = startVpcUpkeep(
    book,
    new Map([[REGION, { ...platform, surveyNetworks }]]),
    pino({ enabled: false }),
  );
  upkeep.poke();
  await eventually(() => expect(noted).toContain("vpc 1: simulated-1"));
  await upkeep.stop();
});
