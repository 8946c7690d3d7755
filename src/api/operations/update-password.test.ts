import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { inForce, pass, readyService } from "../../../test/support/ready.ts";
import { verifies } from "../../../test/support/verifies.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();
const { store, encryption } = api;

test("is answered with 204 once the password was seen in force, and not before", async () => {
  const { id, path } = await readyService(api);
  let answered = false;
  const asking = api.ask("POST", `${path}/updatePassword`, { password: "correct horse" }).then((answer) => {
    answered = true;
    return answer;
  });
  const queue = createReconcileQueue(store.db, encryption, "test", 60_000);
  const due = await eventually(async () => {
    const found = (await queue.claimDue(100)).find(({ serviceId }) => serviceId === id);
    if (!found) throw new Error("not due yet");
    return found;
  });
  expect(due.passwordVersion).toBe(2);
  expect(verifies("correct horse", due.identity.secrets.adminVerifier)).toBe(true);
  expect(JSON.stringify(due)).not.toContain("correct horse");
  expect(answered).toBe(false);
  await store.db.updateTable("services").set({ lease_holder: null, lease_expires_at: null }).execute();
  await pass(api, id, { inForce: inForce({ passwordVersion: 2 }) });
  const answer = await asking;
  expect(answer.statusCode).toBe(204);
  expect(answer.body).toBe("");
});

test("of a stopped service is answered at once, since nothing lets the old one in", async () => {
  const { id, path } = await readyService(api);
  await api.ask("POST", `${path}/stop`);
  await pass(api, id, { status: "PAUSED" });
  expect((await api.ask("POST", `${path}/updatePassword`, { password: "correct horse" })).statusCode).toBe(
    204,
  );
  expect((await api.ask("GET", path)).json()).toMatchObject({ status: "PAUSED" });
});

test.each([["short12"], [""], ["x".repeat(257)], ["nul\u0000inside it"], [12345678], [null]])(
  "%j is refused with 400, without being repeated",
  async (password) => {
    const { path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/updatePassword`, { password });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("8 to 256"),
    });
    expect(answer.body).not.toContain(password || "no password at all");
  },
);

test("nobody who may only read sets a password, and none is set for what is not there", async () => {
  const { path } = await readyService(api);
  const reader = await api.newKey("read_only");
  const body = { password: "correct horse" };
  expect((await api.ask("POST", `${path}/updatePassword`, body, reader.apiKey)).statusCode).toBe(403);
  expect((await api.ask("POST", `${api.services}/nonesuch00/updatePassword`, body)).statusCode).toBe(404);
  await api.ask("DELETE", path);
  expect((await api.ask("POST", `${path}/updatePassword`, body)).statusCode).toBe(409);
});
