import { describe, expect, it } from "vitest";
import { noticeOf, pooledWords } from "./plan-words.ts";

describe("what clients notice, in few words", () => {
  it("tells for how long nobody is served", () => {
    const restart = { kind: "outage", seconds: 2, pooled: "wait", message: "" } as const;
    expect(noticeOf(restart)).toEqual({
      mood: "bad",
      words: "Sessions end, and nobody is served for about 2 seconds",
    });
    expect(pooledWords(restart)).toBe("Through the pooler: transactions wait");
  });

  it("promises no end where nobody knows it", () => {
    expect(noticeOf({ kind: "outage", message: "" }).words).toBe("Nobody is served meanwhile");
  });

  it("tells that sessions can come back at once", () => {
    expect(noticeOf({ kind: "reconnect", seconds: 1, message: "" }).words).toBe(
      "Sessions end once, and can reconnect at once; writes wait for about a second",
    );
  });

  it("calls it nothing only where the pooler's clients notice nothing either", () => {
    expect(noticeOf({ kind: "none", message: "" }).mood).toBe("good");
    expect(noticeOf({ kind: "none", pooled: "outage", message: "" })).toEqual({
      mood: "warn",
      words: "Sessions through the pooler end",
    });
  });
});
