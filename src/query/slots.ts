import { ApiError } from "../contract/errors.ts";

/** Queries under way at a time. */
const PER_SERVICE = 8;
const PER_KEY = 8;
const IN_ALL = 50;

/** Counts queries under way. */
export interface Slots {
  /** Gives what ends the count. Throws TOO_MANY_REQUESTS where one of the bounds is reached. */
  take(serviceId: string, publicKey: string): () => void;
}

export function createSlots(): Slots {
  const held = new Map<string, number>();
  const count = (name: string, by: number) => {
    const now = (held.get(name) ?? 0) + by;
    if (now === 0) held.delete(name);
    else held.set(name, now);
  };
  return {
    take(serviceId, publicKey) {
      const bounds = [
        { name: `service ${serviceId}`, most: PER_SERVICE, words: "of this service" },
        { name: `key ${publicKey}`, most: PER_KEY, words: "with this API key" },
        { name: "all", most: IN_ALL, words: "in all" },
      ];
      const reached = bounds.find(({ name, most }) => (held.get(name) ?? 0) >= most);
      if (reached)
        throw new ApiError(
          "TOO_MANY_REQUESTS",
          `${reached.most} queries ${reached.words} are running already, and no more may at a time`,
          { headers: { "retry-after": "1" } },
        );
      for (const { name } of bounds) count(name, 1);
      return () => {
        for (const { name } of bounds) count(name, -1);
      };
    },
  };
}
