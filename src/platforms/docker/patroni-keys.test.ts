import { expect, it } from "vitest";
import { agreedIn, base64, decoded, keysOf, sayDead } from "./patroni-keys.ts";

const SERVICE = "orders0001";

const written = (keys: Record<string, unknown>) =>
  agreedIn(
    Object.entries(keys).map(([key, value]) => ({
      key: base64(`${keysOf(SERVICE)}${key}`),
      value: base64(JSON.stringify(value)),
    })),
    keysOf(SERVICE),
  );

it("tells who may lead without losing anything", () => {
  const sync = { leader: "member-0", sync_standby: "member-1,member-2", quorum: 0 };
  expect(written({ sync }).sync).toEqual({ leader: "member-0", standbys: ["member-1", "member-2"] });
  expect(written({ sync: { ...sync, sync_standby: null } }).sync).toEqual({
    leader: "member-0",
    standbys: [],
  });
});

it("tells of nobody where nothing is replicated synchronously", () => {
  expect(written({}).sync).toBeNull();
  expect(written({ sync: { leader: null, sync_standby: null } }).sync).toBeNull();
});

it("tells which members have no data yet", () => {
  const { unfinished } = written({
    "members/member-0": { state: "running" },
    "members/member-1": { state: "creating replica" },
  });
  expect([...unfinished]).toEqual(["member-1"]);
});

it("lets a dead member say that it is not to lead, beside all that it said, unless it says something new", () => {
  const told = { api_url: "http://10.213.0.42:8008/patroni", state: "running", role: "primary", timeline: 3 };
  const { compare, success } = sayDead(SERVICE, "member-0", {
    value: JSON.stringify(told),
    revision: "7",
    lease: "42",
  });
  const key = base64("/howdah/orders0001/members/member-0");
  expect(compare).toEqual([{ key, target: "MOD", result: "EQUAL", mod_revision: "7" }]);
  expect(success).toEqual([{ requestPut: expect.objectContaining({ key, lease: "42" }) }]);
  expect(JSON.parse(decoded(success[0]?.requestPut.value ?? ""))).toEqual({
    ...told,
    state: "stopped",
    tags: { nofailover: true },
  });
});
