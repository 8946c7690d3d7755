import { describe, expect, it } from "vitest";
import { applied, coveredBy, draftOf, openRanges, withRanges } from "./allow-list.ts";

describe("adding ranges", () => {
  it("takes an address as the range of itself, and writes ranges as the API does", () => {
    expect(withRanges(["10.0.0.0/8"], "192.0.2.7")).toEqual({
      kind: "added",
      cidrs: ["10.0.0.0/8", "192.0.2.7/32"],
    });
    expect(withRanges([], "2001:DB8:0::/32")).toEqual({ kind: "added", cidrs: ["2001:db8::/32"] });
  });

  it("takes several at once, each of them once", () => {
    expect(withRanges(["10.0.0.0/8"], "10.0.0.0/8, 192.0.2.0/24\n198.51.100.1")).toEqual({
      kind: "added",
      cidrs: ["10.0.0.0/8", "192.0.2.0/24", "198.51.100.1/32"],
    });
  });

  it("adds none where one is no range, and says what to write instead", () => {
    expect(withRanges([], "192.0.2.0/24 192.0.2.7/24")).toEqual({
      kind: "refused",
      message: expect.stringContaining("write 192.0.2.0/24 for the range"),
    });
    expect(withRanges([], "  ").kind).toBe("refused");
  });

  it("refuses more than the API takes", () => {
    const many = Array.from({ length: 100 }, (_, index) => `10.0.${index}.0/24`);
    expect(withRanges(many, "192.0.2.0/24")).toEqual({
      kind: "refused",
      message: "At most 100 ranges can be listed; these would be 101.",
    });
  });
});

describe("a list of ranges", () => {
  it("is known to let everybody in", () => {
    expect(openRanges(["0.0.0.0/0", "10.0.0.0/8"])).toEqual(["0.0.0.0/0"]);
    expect(openRanges(["10.0.0.0/8"])).toEqual([]);
  });

  it("tells which range has another one in it", () => {
    expect(coveredBy("192.0.2.7/32", ["192.0.2.7/32", "192.0.2.0/24"])).toBe("192.0.2.0/24");
    expect(coveredBy("192.0.2.0/24", ["192.0.2.7/32", "2001:db8::/32"])).toBeNull();
  });

  it("is changed in nothing by the same ranges in another order", () => {
    expect(draftOf(["10.0.0.0/8", "::/0"], ["::/0", "10.0.0.0/8"])).toBeNull();
    expect(draftOf(["10.0.0.0/8"], ["10.0.0.0/9"])).toEqual({
      added: ["10.0.0.0/9"],
      removed: ["10.0.0.0/8"],
    });
  });

  it("keeps what others have added since a change of it was begun", () => {
    const draft = { added: ["192.0.2.0/24"], removed: ["0.0.0.0/0"] };
    const saved = ["0.0.0.0/0", "10.0.0.0/8"];
    expect(applied(saved, draft)).toEqual(["10.0.0.0/8", "192.0.2.0/24"]);
    expect(draftOf(saved, applied(saved, draft))).toEqual(draft);
  });
});
