import { describe, expect, it } from "vitest";
import { bodyOf, changesOf, draftedValue, isShown, refusedOf, withChange } from "./draft.ts";
import type { ParameterRecord } from "./value.ts";

const WORK_MEM: ParameterRecord = {
  name: "work_mem",
  description: "How much memory one sort uses.",
  type: "integer",
  unit: "kB",
  min: "64kB",
  max: "512MB",
  value: "64MB",
  wanted_value: "64MB",
  size_value: "8MB",
  source: "custom",
  restart_required: false,
  restart_due: false,
};
const JIT: ParameterRecord = {
  ...WORK_MEM,
  name: "jit",
  type: "bool",
  unit: null,
  wanted_value: "on",
  size_value: "on",
  source: "default",
};

describe("gathering changes of parameters", () => {
  it("sends what was changed, and null for what is taken back", () => {
    const draft = withChange(withChange({}, WORK_MEM, null), JIT, "off");
    expect(bodyOf(draft)).toEqual({ parameters: { work_mem: null, jit: "off" } });
    expect(changesOf(draft, [WORK_MEM, JIT])).toEqual([
      { name: "work_mem", from: "64MB", to: "8MB", cleared: true, restart: false },
      { name: "jit", from: "on", to: "off", cleared: false, restart: false },
    ]);
  });

  it("forgets a change that is none", () => {
    const draft = withChange({}, WORK_MEM, "32MB");
    expect(withChange(draft, WORK_MEM, "64MB")).toEqual({});
    expect(withChange({}, JIT, null)).toEqual({});
  });

  it("tells which ones would be refused", () => {
    const draft = withChange(withChange({}, WORK_MEM, "1kB"), JIT, "off");
    expect(refusedOf(draft, [WORK_MEM, JIT])).toEqual(["work_mem"]);
    expect(draftedValue(draft, WORK_MEM)).toBe("1kB");
  });

  it("finds parameters by words of name and description, and those that were changed", () => {
    const draft = withChange({}, JIT, "off");
    expect(isShown(WORK_MEM, draft, "all", "memory sort")).toBe(true);
    expect(isShown(WORK_MEM, draft, "all", "memory lock")).toBe(false);
    expect(isShown(WORK_MEM, draft, "changed", "")).toBe(false);
    expect(isShown(JIT, draft, "changed", "")).toBe(true);
    expect(isShown(JIT, draft, "chosen", "")).toBe(false);
  });
});
