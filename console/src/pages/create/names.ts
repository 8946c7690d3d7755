/** Names to begin with: easy to say, and unlikely to be there already. */

const MANNERS = [
  "amber",
  "brave",
  "calm",
  "clever",
  "cosy",
  "eager",
  "fair",
  "gentle",
  "glad",
  "golden",
  "grand",
  "happy",
  "keen",
  "kind",
  "lively",
  "lucky",
  "mellow",
  "merry",
  "mighty",
  "noble",
  "patient",
  "quick",
  "quiet",
  "royal",
  "silver",
  "steady",
  "sunny",
  "swift",
  "warm",
  "wise",
];
const THINGS = [
  "acacia",
  "baobab",
  "bazaar",
  "canopy",
  "caravan",
  "cedar",
  "comet",
  "delta",
  "dune",
  "ember",
  "harbor",
  "island",
  "jasmine",
  "lagoon",
  "lantern",
  "lotus",
  "mahout",
  "mango",
  "meadow",
  "monsoon",
  "oasis",
  "orchid",
  "palace",
  "river",
  "saddle",
  "savanna",
  "tusk",
  "valley",
  "willow",
  "zephyr",
];

/** @param taken names that are not proposed */
export function proposeName(taken: ReadonlySet<string>, random: () => number = Math.random): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? "";
  for (let tries = 0; tries < 20; tries += 1) {
    const name = `${pick(MANNERS)}-${pick(THINGS)}`;
    if (!taken.has(name)) return name;
  }
  return `${pick(MANNERS)}-${pick(THINGS)}-${Math.floor(random() * 10_000)}`;
}
