import { expect, test } from "vitest";
import type { NodeRecord, NodeRecords } from "../../../../../../src/client/index.ts";
import { lagWords, pictureOf, sentenceOf } from "./picture.ts";

function node(ordinal: number, changes: Partial<NodeRecord> = {}): NodeRecord {
  return {
    name: `member-${ordinal}`,
    ordinal,
    state: "running",
    role: ordinal === 0 ? "primary" : "replica",
    synchronous: false,
    streaming: ordinal !== 0,
    ...changes,
  };
}

function observed(nodes: readonly NodeRecord[], changes: Partial<NodeRecords> = {}): NodeRecords {
  return {
    as_of: "2026-11-21T09:30:00.000Z",
    nodes: [...nodes],
    gateway: { state: "running", serving: true },
    pooler: { enabled: false },
    read_replica_sets: [],
    wanted: { nodes: nodes.length },
    ...changes,
  };
}

function picture(nodes: NodeRecords | undefined, changes: { ledLast?: string; status?: string } = {}) {
  const expected = { nodes: 3, sets: [] };
  return pictureOf({ nodes, expected, readers: false, ledLast: null, status: "READY", ...changes });
}

const LOST = { state: "stopped", role: null, streaming: false } as const;

test("whoever takes over changes places with the first, and nobody else moves", () => {
  const before = picture(observed([0, 1, 2, 3].map((ordinal) => node(ordinal))));
  const after = picture(
    observed([node(0, LOST), node(1), node(2, { role: "primary", streaming: false }), node(3)]),
  );
  expect(before.leader?.name).toBe("member-0");
  expect(before.followers.map(({ name }) => name)).toEqual(["member-1", "member-2", "member-3"]);
  expect(after.leader?.name).toBe("member-2");
  expect(after.followers.map(({ name }) => name)).toEqual(["member-1", "member-0", "member-3"]);
});

test("while nobody leads, whoever led last keeps the place and not the crown", () => {
  const nodes = observed([node(0), node(1, LOST), node(2)].map((each) => ({ ...each, role: null })));
  const { leader } = picture(nodes, { ledLast: "member-1" });
  expect(leader).toMatchObject({ name: "member-1", leads: false, words: "Stopped", mood: "bad" });
});

test("what is wanted and not there is drawn as still to come", () => {
  const { followers } = picture(observed([node(0)], { wanted: { nodes: 3 } }));
  expect(followers.map(({ words, link, node: there }) => ({ words, link, there }))).toEqual([
    { words: "Still to come", link: "coming", there: null },
    { words: "Still to come", link: "coming", there: null },
  ]);
});

test("before anything is told, there is room for what is expected, and no word about it", () => {
  const drawn = picture(undefined);
  expect([drawn.leader, ...drawn.followers].map((member) => member?.words)).toEqual(["", "", ""]);
});

test("a replica is told apart by how it follows", () => {
  const { followers } = picture(
    observed([
      node(0),
      node(1, { synchronous: true }),
      node(2),
      node(3, { streaming: false }),
      node(4, { state: "cut off", role: null, streaming: false }),
      node(5, { state: "starting", role: null, streaming: false }),
    ]),
  );
  expect(followers.map(({ link, words }) => `${link}: ${words}`)).toEqual([
    "synchronous: Synchronous replica",
    "asynchronous: Replica",
    "broken: Does not stream",
    "broken: Cut off from the network",
    "coming: Getting its data",
  ]);
});

test("nothing is wrong with a stopped service because it stands still", () => {
  const stopped = observed([node(0, LOST), node(1, LOST)], { gateway: { state: "stopped", serving: false } });
  const { leader, followers } = picture(stopped, { status: "PAUSED" });
  expect([leader?.mood, ...followers.map(({ mood }) => mood)]).toEqual(["calm", "calm"]);
  expect(followers.map(({ link }) => link)).not.toContain("broken");
  expect(sentenceOf(picture(stopped, { status: "PAUSED" }))).toBe("The service is stopped.");
});

test("what does not answer yet is not wrong while it begins", () => {
  const nodes = observed([node(0), node(1, { streaming: false }), node(2, { ...LOST, state: "silent" })], {
    gateway: { state: "running", serving: false },
  });
  const { followers, gatewayMood } = picture(nodes, { status: "CONFIGURING" });
  expect(followers.map(({ words, mood, link }) => [words, mood, link])).toEqual([
    ["Does not stream yet", "busy", "coming"],
    ["Does not answer yet", "busy", "coming"],
  ]);
  expect(gatewayMood).toBe("calm");
  expect(picture(nodes).gatewayMood).toBe("bad");
});

test("a read replica set has no primary, and all its nodes follow", () => {
  const nodes = observed([node(0, { role: "replica", streaming: true }), node(1)]);
  const drawn = pictureOf({
    nodes,
    expected: { nodes: 2, sets: [] },
    readers: true,
    ledLast: null,
    status: "READY",
  });
  expect(drawn.leader).toBeNull();
  expect(sentenceOf(drawn)).toBe("2 nodes follow.");
  expect(drawn.followers.map(({ words }) => words)).toEqual(["Read replica", "Read replica"]);
});

test("the sentence tells who leads and how many follow, and no number that changes all the time", () => {
  const nodes = [node(0), node(1, { lag_bytes: 10 }), node(2, { streaming: false })];
  expect(sentenceOf(picture(observed(nodes)))).toBe("member-0 leads. 1 of 2 replicas follows.");
  expect(sentenceOf(picture(observed(nodes.slice(0, 2))))).toBe("member-0 leads. 1 replica follows.");
  expect(sentenceOf(picture(observed([node(0, LOST)])))).toBe("Nobody leads now.");
  expect(sentenceOf(picture(observed([node(0, LOST), node(1, LOST)])))).toBe(
    "Nobody leads now. No replica follows.",
  );
  expect(sentenceOf(picture(undefined))).toBe("Looking at what runs.");
});

test("lag is told in bytes, and in seconds where there are whole ones", () => {
  expect(lagWords(node(1))).toBeNull();
  expect(lagWords(node(1, { lag_bytes: 0, lag_seconds: 0.2 }))).toBe("in step");
  expect(lagWords(node(1, { lag_bytes: 1_200, lag_seconds: 0.4 }))).toBe("1.2 kB behind");
  expect(lagWords(node(1, { lag_bytes: 3_000_000, lag_seconds: 4.6 }))).toBe("3.0 MB behind, 5 s");
});
