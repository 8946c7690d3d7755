import { expect, test } from "vitest";
import type { MemberLogs } from "../lib/member-logs.ts";
import { createLogReader } from "./read-logs.ts";

const QUERY = {
  ordinal: null,
  before: new Map(),
  sinceMs: null,
  untilMs: null,
  search: [],
  severities: [],
  limit: 1,
};

test("eight logs are read at a time, and the next one when one of them has ended", async () => {
  const endings: ((logs: MemberLogs) => void)[] = [];
  const logs = () => new Promise<MemberLogs>((resolve) => endings.push(resolve));
  const read = createLogReader(new Map([["local", { logs }]]));
  const readings = Array.from({ length: 8 }, () => read("local", "k3v9x0q2ab", QUERY));
  await expect(read("local", "k3v9x0q2ab", QUERY)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  const none = { ordinals: [], logs: [] };
  endings[0]?.(none);
  expect(await readings[0]).toEqual(none);
  const next = read("local", "k3v9x0q2ab", QUERY);
  for (const end of endings) end(none);
  expect(await next).toEqual(none);
});
