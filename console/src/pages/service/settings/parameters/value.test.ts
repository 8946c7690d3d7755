import { describe, expect, it } from "vitest";
import { type ParameterRecord, rangeWords, refusalOf } from "./value.ts";

const WORK_MEM: ParameterRecord = {
  name: "work_mem",
  description: "",
  type: "integer",
  unit: "kB",
  min: "64kB",
  max: "512MB",
  value: "8MB",
  wanted_value: "8MB",
  size_value: "8MB",
  source: "size",
  restart_required: false,
  restart_due: false,
};
const TIMEOUT: ParameterRecord = {
  ...WORK_MEM,
  name: "statement_timeout",
  unit: "ms",
  min: "1s",
  max: "7d",
  special: "0",
};
const COST: ParameterRecord = { ...WORK_MEM, type: "real", unit: null, min: "0", max: "1000" };

describe("the value of a parameter", () => {
  it("is taken with any unit of its kind inside the range", () => {
    for (const text of ["64", "64kB", "1MB", "512 MB", "0.25GB"])
      expect(refusalOf(WORK_MEM, text)).toBeNull();
  });

  it("is refused outside of the range, which is named", () => {
    expect(refusalOf(WORK_MEM, "63")).toBe("Between 64kB and 512MB.");
    expect(refusalOf(WORK_MEM, "1GB")).toBe("Between 64kB and 512MB.");
    expect(refusalOf(COST, "-0.5")).toBe("Between 0 and 1000.");
  });

  it("is refused with a unit of another kind, and told which ones there are", () => {
    expect(refusalOf(WORK_MEM, "5min")).toBe(
      "Write an amount of memory in B, kB, MB, GB, TB; a number alone counts kB.",
    );
    expect(refusalOf(COST, "a lot")).toBe("Write a number.");
    expect(refusalOf(COST, "")).toBe("Write a number.");
  });

  it("may be the special one beside the range", () => {
    expect(refusalOf(TIMEOUT, "0")).toBeNull();
    expect(refusalOf(TIMEOUT, "1ms")).toBe("Between 1s and 7d, or 0.");
  });

  it("is one of the words where there are words", () => {
    const wal: ParameterRecord = { ...WORK_MEM, type: "enum", unit: null, options: ["off", "lz4"] };
    expect(refusalOf(wal, "LZ4")).toBeNull();
    expect(refusalOf(wal, "gzip")).toBe("Choose one of off, lz4.");
    expect(refusalOf({ ...WORK_MEM, type: "bool", unit: null }, "maybe")).toBe("Write on or off.");
  });

  it("is left to the API where its type is not known here", () => {
    expect(refusalOf({ ...WORK_MEM, type: "string" }, "anything")).toBeNull();
  });
});

describe("the range of a parameter", () => {
  it("names the special value", () => {
    expect(rangeWords(TIMEOUT)).toBe("1s to 7d, or 0");
    const { min: _, max: __, ...without } = WORK_MEM;
    expect(rangeWords(without)).toBeNull();
  });
});
