/** A connection to the state database breaks in the midst of a request: the answer says what is known of the change. */
import { expect, test } from "vitest";
import { openTestApi } from "../../test/support/api.ts";
import { eventually } from "../../test/support/eventually.ts";

const END_WHO_WAITS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`;

const api = await openTestApi();

test("a change whose connection breaks may have been accepted, and nothing says that it was not", async () => {
  const { service_id: id } = await api.create();
  const answer = await whileLocked("services", async (breakIt) => {
    const renaming = api.ask("POST", `${api.services}/${id}/rename`, { name: "renamed" });
    await breakIt();
    return renaming;
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: "UNAVAILABLE",
    message: "the state database cannot be reached; the change may have been accepted",
  });
});

test("a dry run whose connection breaks has changed nothing, and says so", async () => {
  const { service_id: id } = await api.create();
  const answer = await whileLocked("services", async (breakIt) => {
    const asking = api.ask("POST", `${api.services}/${id}/setHA?dry_run=true`, { replica_count: 1 });
    await breakIt();
    return asking;
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.json().message).toBe("the state database cannot be reached; nothing was changed");
});

test("a request whose key cannot be looked up has changed nothing, and says so", async () => {
  const { apiKey } = await api.newKey("admin");
  const answer = await whileLocked("api_keys", async (breakIt) => {
    const creating = api.ask("POST", api.services, { name: "never" }, apiKey);
    await breakIt();
    return creating;
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.json().message).toBe("the state database cannot be reached; nothing was changed");
});

/** @param work is given what ends the connection of whoever waits for the table */
async function whileLocked<T>(
  table: "services" | "api_keys",
  work: (breakIt: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await api.store.pool.connect();
  try {
    await client.query("begin");
    await client.query(`lock table ${table}`);
    return await work(() =>
      eventually(async () => {
        expect((await client.query(END_WHO_WAITS)).rowCount).toBe(1);
      }),
    );
  } finally {
    await client.query("rollback");
    client.release();
  }
}
