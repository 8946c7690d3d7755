/** What events tell programs of a request that was accepted: what was changed, and never a secret. */
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { readyService } from "../../../test/support/ready.ts";
import { listEvents } from "../../store/events.ts";

const api = await openTestApi();
const PASSWORD = "correct-horse-battery-staple";

test.each([
  [
    "POST",
    "resize",
    { cpu_millis: "1000" },
    "service.resize.accepted",
    { status: "QUEUED", changes: { cpu_millis: { from: 500, to: 1_000 }, memory_gbs: { from: 2, to: 4 } } },
  ],
  [
    "POST",
    "setHA",
    { replica_count: 1 },
    "service.ha.accepted",
    { status: "QUEUED", changes: { replica_count: { from: 0, to: 1 } } },
  ],
  [
    "POST",
    "stop",
    undefined,
    "service.stop.accepted",
    { status: "PAUSING", changes: { power: { from: "running", to: "stopped" } } },
  ],
  [
    "PATCH",
    "parameters",
    { parameters: { work_mem: "64MB" } },
    "service.parameters.accepted",
    { changes: { parameters: { from: {}, to: expect.anything() } } },
  ],
  ["POST", "rename", { name: "stock" }, "service.renamed", { name: "stock" }],
  ["POST", "setEnvironment", { environment: "PROD" }, "service.environment.set", { environment: "PROD" }],
  [
    "PUT",
    "deletionProtection",
    { deletion_protection: true },
    "service.protection.set",
    { deletion_protection: true },
  ],
  ["DELETE", "", undefined, "service.delete.accepted", { status: "DELETING" }],
] as const)("%s %s", async (method, operation, body, type, data) => {
  const { id, path } = await readyService(api);
  const before = await listEvents(api.store.db, id, { limit: 100 });
  const answer = await api.ask(method, operation === "" ? path : `${path}/${operation}`, body);
  expect(answer.statusCode).toBeLessThan(300);
  const events = await listEvents(api.store.db, id, { limit: 100 });
  expect(events).toHaveLength(before.length + 1);
  expect(events[0]).toMatchObject({ type, actor: `key:${api.key.publicKey}`, data });
});

test("a new password is told, and what it is stays unknown", async () => {
  const { id, path } = await readyService(api);
  await api.ask("POST", `${path}/stop`);
  await api.ask("POST", `${path}/updatePassword`, { password: PASSWORD });
  const events = await listEvents(api.store.db, id, { limit: 100 });
  expect(events.map(({ type }) => type)).toContain("service.password.accepted");
  expect(JSON.stringify(events)).not.toMatch(/correct-horse|SCRAM/);
});
