import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { startInstantReconciler } from "../../../test/support/instant-reconciler.ts";

const api = await openTestApi();
startInstantReconciler(api.store.db);
const cli = await openTestCli(api);
await cli.run(["create", "orders"]);
const { service_id, endpoint } = JSON.parse((await cli.run(["get", "orders", "-o", "json"])).stdout);
const password = await cli.passwords.find(service_id, "tsdbadmin");

test("psql gets the endpoint, the kept password and its own arguments", async () => {
  const { exitCode, psql } = await cli.run(["connect", "orders", "--", "-c", "select 1"]);
  expect(exitCode).toBe(0);
  expect(psql).toEqual([
    {
      session: {
        place: endpoint,
        role: "tsdbadmin",
        database: "tsdb",
        readOnly: false,
        password,
        authorityFile: null,
      },
      args: ["-c", "select 1"],
    },
  ]);
});

test("another role has no password here, and a read-only session is asked for", async () => {
  const { psql } = await cli.run(["connect", "orders", "--role", "reader", "--read-only"]);
  expect(psql).toMatchObject([{ session: { role: "reader", readOnly: true, password: null } }]);
});

test("the installation's authority is what the service is held to", async () => {
  const { psql } = await cli.run(["connect", "orders"], { authorityFile: "/home/authority.crt" });
  expect(psql).toMatchObject([{ session: { authorityFile: "/home/authority.crt" } }]);
});

test("the exit code is psql's, and nothing is added to what it said", async () => {
  const ended = await cli.run(["connect", "orders"], { psqlExitCode: 3 });
  expect(ended).toMatchObject({ exitCode: 3, stdout: "", stderr: "" });
});

test("the pooler has a database for each way of pooling, once it is on", async () => {
  const off = await cli.run(["connect", "orders", "--pooled"]);
  expect(off).toMatchObject({ exitCode: 5, psql: [], stderr: expect.stringContaining("pooler") });
  // Switched on by somebody else: the password is good for it all the same.
  await cli.client.enablePooler(service_id);
  const port = (await cli.client.getService(service_id)).connection_pooler?.endpoint?.port;
  const session = await cli.run(["connect", "orders", "--pooled"]);
  expect(session.psql).toMatchObject([{ session: { place: { port }, database: "tsdb", password } }]);
  const transaction = await cli.run(["connect", "orders", "--pooled", "transaction"]);
  expect(transaction.psql).toMatchObject([{ session: { database: "tsdb_transaction" } }]);
});

test("a stopped service is not connected to, but said to be stopped", async () => {
  const { service_id: id } = await cli.client.createService({ name: "asleep" });
  await cli.client.waitFor(id, "READY", { deadlineMs: 10_000 });
  await cli.run(["stop", "asleep"]);
  const refused = await cli.run(["connect", "asleep"]);
  expect(refused).toMatchObject({ exitCode: 5, psql: [], stderr: expect.stringContaining("service start") });
});
