import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { inForce, pass, readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { listEvents } from "../../store/events.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();
const { db } = api.store;
const queue = createReconcileQueue(db, api.encryption, "test", 60_000);

test("answers 202 with the service, and asks whoever leads now to hand over", async () => {
  const { id, path } = await readyService(api, { replica_count: 1 });
  await pass(api, id, { inForce: inForce({ primary: 1 }) });
  const answer = await api.ask("POST", `${path}/switchover`);
  expect(answer.statusCode).toBe(202);
  expect(strictErrors(Service, answer.json())).toEqual([]);
  expect(answer.json()).toMatchObject({ service_id: id, status: "QUEUED" });
  const due = (await queue.claimDue(100)).find(({ serviceId }) => serviceId === id);
  expect(due).toMatchObject({ handOverFrom: 1, generation: 2 });
  expect((await listEvents(db, id, { limit: 1 }))[0]).toMatchObject({
    type: "service.switchover.accepted",
    message: "A switchover from member 1 was accepted.",
  });
});

test("is forgotten once the service was seen settled after it, and asked for anew after that", async () => {
  const { id, path } = await readyService(api, { replica_count: 1 });
  await api.ask("POST", `${path}/switchover`);
  await pass(api, id, { inForce: inForce({ primary: 1 }) });
  await queue.makeDue(id);
  const [due] = (await queue.claimDue(100)).filter(({ serviceId }) => serviceId === id);
  expect(due).toMatchObject({ handOverFrom: null });
});

test("of a service without a replica is 400, and says how to get one", async () => {
  const { id, path } = await readyService(api);
  const before = await listEvents(db, id, { limit: 100 });
  const answer = await api.ask("POST", `${path}/switchover`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("setHA") });
  expect(await listEvents(db, id, { limit: 100 })).toEqual(before);
});

test.each([
  ["nobody leads", async ({ id }: Ready) => pass(api, id, { inForce: inForce({ primary: null }) })],
  ["the service is stopped", async ({ path }: Ready) => void (await api.ask("POST", `${path}/stop`))],
  ["the service is being deleted", async ({ path }: Ready) => void (await api.ask("DELETE", path))],
])("while %s is 409", async (_, becomes) => {
  const ready = await readyService(api, { replica_count: 1 });
  await becomes(ready);
  const answer = await api.ask("POST", `${ready.path}/switchover`);
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: "CONFLICT" });
});

test("before the service was ever ready is 409", async () => {
  const { service_id } = await api.create({ replica_count: 1 });
  const answer = await api.ask("POST", `${api.services}/${service_id}/switchover`);
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ message: "the service is still being created" });
});

type Ready = Awaited<ReturnType<typeof readyService>>;
