/** Both included. */
export type Range = readonly [least: number, most: number];

/** Numbers that follow from a seed alone, so that a run can be repeated. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number of the range. */
  within(range: Range): number;
  /** True so many times out of a hundred. */
  percent(chance: number): boolean;
  /** One of the choices, each as likely as its weight says. Throws where there is none. */
  choose<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** Mulberry32: small, and good enough to choose faults with. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    within: ([least, most]) => least + Math.floor(next() * (most - least + 1)),
    percent: (chance) => next() * 100 < chance,
    choose(choices) {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      const last = choices.at(-1);
      if (last === undefined) throw new Error("there is nothing to choose from");
      return last[1];
    },
  };
}
