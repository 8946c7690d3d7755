/** What is drawn of a service, and in which words: from what was observed. Pure. */
import type { NodeRecord, NodeRecords } from "../../../../../../src/client/index.ts";
import { bytes } from "../../../../ui/format.ts";
import type { Mood } from "../../../../ui/mood.ts";

/** How a member follows the primary. */
export type LinkKind = "synchronous" | "asynchronous" | "broken" | "coming";

export interface DrawnMember {
  /** The same for as long as it exists, also when the lead changes. */
  readonly id: string;
  readonly name: string;
  readonly node: NodeRecord | null;
  readonly leads: boolean;
  /** "Primary", "Replica", or what is wrong. */
  readonly words: string;
  readonly mood: Mood;
  readonly link: LinkKind;
  /** Of a replica that streams. */
  readonly lag: string | null;
}

export interface DrawnSet {
  readonly id: string;
  readonly name: string;
  readonly members: readonly DrawnMember[];
  /** Whether its endpoint leads to a node; null: not known yet. */
  readonly serving: boolean | null;
}

export interface Picture {
  /** Whoever leads, or led last. null: a read replica set, which has no primary of its own. */
  readonly leader: DrawnMember | null;
  readonly followers: readonly DrawnMember[];
  readonly gatewayWords: string;
  readonly gatewayMood: Mood;
  readonly pooler: { readonly words: string; readonly mood: Mood } | null;
  readonly sets: readonly DrawnSet[];
  readonly asOf: string | null;
  /** Whether anything was told yet. */
  readonly known: boolean;
  readonly stopped: boolean;
}

export interface PictureInput {
  /** undefined: not asked yet. */
  readonly nodes: NodeRecords | undefined;
  /** How many there shall be, until more is known. */
  readonly expected: { readonly nodes: number; readonly sets: readonly ExpectedSet[] };
  /** A read replica set. */
  readonly readers: boolean;
  /** The name of the member that led when it was last known. */
  readonly ledLast: string | null;
  /** The API's words for how the service is. */
  readonly status: string;
}

interface ExpectedSet {
  readonly id: string;
  readonly name: string;
  readonly nodes: number;
  readonly status: string;
}

/** What stands still in these is not wrong. */
const RESTING: readonly string[] = ["PAUSED", "PAUSING"];
/** What does not answer in these is still to begin. */
const BEGINNING: readonly string[] = ["QUEUED", "CONFIGURING", "RESUMING", "creating"];

export function pictureOf(input: PictureInput): Picture {
  const { nodes, expected, readers, ledLast, status } = input;
  const [resting, beginning] = [RESTING.includes(status), BEGINNING.includes(status)];
  const wanted = nodes?.wanted.nodes ?? expected.nodes;
  const looks = { resting, beginning, readers, set: "", known: nodes !== undefined };
  const ofSet = (id: string) => ({
    resting,
    beginning: beginning || BEGINNING.includes(expected.sets.find((set) => set.id === id)?.status ?? ""),
    readers: true,
    set: id,
    known: nodes !== undefined,
  });
  const members = drawn(nodes?.nodes ?? [], wanted, looks);
  const led =
    members.find(({ leads }) => leads) ?? members.find(({ name }) => name === ledLast) ?? members[0];
  const leader = readers ? null : (led ?? null);
  return {
    leader,
    followers: leader ? inPlaceOf(members, leader) : members,
    gatewayMood: gatewayMood(nodes?.gateway, resting || beginning),
    gatewayWords: gatewayWords(nodes?.gateway, resting || beginning),
    pooler: poolerOf(nodes, resting || beginning),
    sets: nodes
      ? nodes.read_replica_sets.map((set) => ({
          id: set.id,
          name: set.name,
          members: drawn(set.nodes, set.wanted.nodes, ofSet(set.id)),
          serving: set.gateway?.serving ?? null,
        }))
      : expected.sets.map((set) => ({
          id: set.id,
          name: set.name,
          members: drawn([], set.nodes, ofSet(set.id)),
          serving: null,
        })),
    asOf: nodes?.as_of ?? null,
    known: nodes !== undefined,
    stopped: status === "PAUSED",
  };
}

/** Whoever takes over the lead changes places with the first: the others stay where they are. */
function inPlaceOf(members: readonly DrawnMember[], leader: DrawnMember): readonly DrawnMember[] {
  const [first, ...others] = members;
  if (!first || first === leader) return others;
  return others.map((member) => (member === leader ? first : member));
}

interface Looks {
  readonly resting: boolean;
  readonly beginning: boolean;
  readonly readers: boolean;
  readonly set: string;
  readonly known: boolean;
}

/** Those that are there in their order, then those that shall be. */
function drawn(nodes: readonly NodeRecord[], wanted: number, looks: Looks): readonly DrawnMember[] {
  const there = nodes.toSorted((a, b) => a.ordinal - b.ordinal);
  const primary = there.find(({ role }) => role === "primary");
  const missing = Array.from({ length: Math.max(0, wanted - there.length) }, (_, index) =>
    ghost(index, looks),
  );
  return [...there.map((node) => drawnMember(node, node === primary, looks)), ...missing];
}

function ghost(index: number, { set, known }: Looks): DrawnMember {
  return {
    id: `${set}/coming-${index}`,
    name: known ? "One more" : "",
    node: null,
    leads: false,
    words: known ? "Still to come" : "",
    mood: "calm",
    link: "coming",
    lag: null,
  };
}

function drawnMember(node: NodeRecord, primary: boolean, looks: Looks): DrawnMember {
  const leads = primary && !looks.readers;
  const link = linkOf(node, looks);
  return {
    id: `${looks.set}/${node.name}`,
    name: node.name,
    node,
    leads,
    ...wordsOf(node, leads, looks),
    link,
    lag: node.streaming ? lagWords(node) : null,
  };
}

function linkOf({ state, streaming, synchronous }: NodeRecord, { beginning, resting }: Looks): LinkKind {
  if (state === "absent" || state === "starting") return "coming";
  if (state !== "running" || !streaming) return beginning || resting ? "coming" : "broken";
  return synchronous ? "synchronous" : "asynchronous";
}

function wordsOf(
  node: NodeRecord,
  leads: boolean,
  { resting, beginning, readers }: Looks,
): { words: string; mood: Mood } {
  switch (node.state) {
    case "running":
      if (leads) return { words: "Primary", mood: "good" };
      if (!node.streaming)
        return beginning
          ? { words: "Does not stream yet", mood: "busy" }
          : { words: "Does not stream", mood: "bad" };
      if (readers) return { words: "Read replica", mood: "good" };
      return { words: node.synchronous ? "Synchronous replica" : "Replica", mood: "good" };
    case "starting":
      return { words: "Getting its data", mood: "busy" };
    case "absent":
      return { words: "Still to come", mood: "calm" };
    case "stopped":
      return { words: "Stopped", mood: resting ? "calm" : "bad" };
    case "silent":
      if (beginning) return { words: "Does not answer yet", mood: "busy" };
      return { words: "Does not answer", mood: resting ? "calm" : "bad" };
    case "frozen":
      return { words: "Frozen", mood: "bad" };
    case "cut off":
      return { words: "Cut off from the network", mood: "bad" };
    default:
      return { words: node.state, mood: "bad" };
  }
}

/** How far a replica is behind. Lags that nobody notices are none. */
export function lagWords({ lag_bytes, lag_seconds }: NodeRecord): string | null {
  if (lag_bytes === undefined) return null;
  if (lag_bytes === 0) return "in step";
  const seconds = lag_seconds !== undefined && lag_seconds >= 1 ? `, ${Math.round(lag_seconds)} s` : "";
  return `${bytes(lag_bytes)} behind${seconds}`;
}

function gatewayWords(gateway: NodeRecords["gateway"], excused: boolean): string {
  if (!gateway) return "";
  if (gateway.serving) return "Takes connections";
  if (gateway.state === "absent") return "Not there";
  if (gateway.state === "stopped") return "Stopped";
  return excused ? "Leads nowhere" : "Leads nowhere now";
}

function gatewayMood(gateway: NodeRecords["gateway"], excused: boolean): Mood {
  if (!gateway || (!gateway.serving && excused)) return "calm";
  return gateway.serving ? "good" : "bad";
}

function poolerOf(nodes: NodeRecords | undefined, excused: boolean): Picture["pooler"] {
  if (!nodes?.pooler.enabled) return null;
  const { answers } = nodes.pooler;
  if (answers === undefined) return { words: "Not seen yet", mood: "calm" };
  if (answers) return { words: "Takes connections", mood: "good" };
  return { words: "Does not answer", mood: excused ? "calm" : "bad" };
}

/** The picture in a sentence, which is read out when it changes: it tells no numbers that change all the time. */
export function sentenceOf({ leader, followers, asOf, known, stopped }: Picture): string {
  if (!known) return "Looking at what runs.";
  if (stopped) return "The service is stopped.";
  if (asOf === null) return "Nothing has been seen of this service yet.";
  const there = followers.filter(({ link }) => link !== "coming");
  const streaming = there.filter(({ link }) => link !== "broken").length;
  if (!leader) return followWords(streaming, there.length, "node").trim();
  const following = followWords(streaming, there.length, "replica");
  const lead = leader.leads ? `${leader.name} leads.` : "Nobody leads now.";
  return `${lead}${following}`;
}

function followWords(streaming: number, all: number, noun: string): string {
  if (all === 0) return "";
  if (streaming === 0) return ` No ${noun} follows.`;
  const verb = streaming === 1 ? "follows" : "follow";
  const counted = `${all} ${noun}${all === 1 ? "" : "s"}`;
  return streaming === all ? ` ${counted} ${verb}.` : ` ${streaming} of ${counted} ${verb}.`;
}
