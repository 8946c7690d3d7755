/** Who may connect, and through what: the allow-list and the pooler, as far as the API decides them. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { inForce, pass, readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { getService } from "../../store/services.ts";

const api = await openTestApi();

describe("the allow-list", () => {
  test("lets in everybody at first", async () => {
    const { path } = await readyService(api);
    expect((await api.ask("GET", `${path}/allowList`)).json()).toEqual({ cidrs: ["0.0.0.0/0", "::/0"] });
  });

  test("is replaced, each range once in its canonical form, and answered with 200 once it is in force", async () => {
    const { id, path } = await readyService(api);
    const cidrs = ["192.0.2.7", "2001:DB8::/32", "192.0.2.7/32"];
    const wanted = ["192.0.2.7/32", "2001:db8::/32"];
    const asking = begin(api.ask("PUT", `${path}/allowList`, { cidrs }));
    await until(async () => (await rowOf(id)).allow_list.length === 2 && (await rowOf(id)).generation === 2);
    await pass(api, id, { inForce: inForce({ allowList: wanted }) });
    const answer = await asking;
    expect([answer.statusCode, answer.json()]).toEqual([200, { cidrs: wanted }]);
    expect((await api.ask("GET", `${path}/allowList`)).json()).toEqual({ cidrs: wanted });
    expect((await api.ask("GET", path)).json()).toMatchObject({ status: "READY" });
  });

  test("may be empty: nobody connects", async () => {
    const { id, path } = await readyService(api);
    const asking = begin(api.ask("PUT", `${path}/allowList`, { cidrs: [] }));
    await until(async () => (await rowOf(id)).generation === 2);
    await pass(api, id, { inForce: inForce({ allowList: [] }) });
    expect((await asking).json()).toEqual({ cidrs: [] });
  });

  test.each([
    [{ cidrs: ["10.0.0.0/8", "10.1.2.3/8"] }, "cidrs[1]"],
    [{ cidrs: ["example.org"] }, "cidrs[0]"],
    [{ cidrs: [1] }, "cidrs[0]"],
    [{ cidrs: "10.0.0.0/8" }, "cidrs must be an array"],
    [{ cidrs: Array(101).fill("10.0.0.1") }, "at most 100"],
    [{}, "cidrs is required"],
    [{ cidrs: [], more: 1 }, "unknown field"],
  ])("%j is refused, naming what is wrong, and nothing changes", async (body, message) => {
    const { id, path } = await readyService(api);
    const answer = await api.ask("PUT", `${path}/allowList`, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
    expect((await rowOf(id)).generation).toBe(1);
  });
});

describe("the pooler", () => {
  test("appears in the record with a port of its own, and disappears with it", async () => {
    const { id, path } = await readyService(api);
    const { endpoint }: Service = (await api.ask("GET", path)).json();
    const enabling = begin(api.ask("POST", `${path}/enablePooler`));
    await until(async () => (await rowOf(id)).pooler);
    await pass(api, id, { inForce: inForce({ pooler: true }) });
    const answer = await enabling;
    const record: Service = (await api.ask("GET", path)).json();
    expect(strictErrors(Service, record)).toEqual([]);
    const { host, port } = record.connection_pooler?.endpoint ?? {};
    expect(host).toBe(endpoint?.host);
    expect(port).not.toBe(endpoint?.port);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: `The pooler answers at ${host}:${port}.` },
    ]);

    const disabling = begin(api.ask("POST", `${path}/disablePooler`, {}));
    await until(async () => !(await rowOf(id)).pooler);
    await pass(api, id, { inForce: inForce({ pooler: false }) });
    expect((await disabling).json()).toEqual({ message: "The pooler is disabled." });
    expect((await api.ask("GET", path)).json()).not.toHaveProperty("connection_pooler");
  });

  test("of a stopped service waits for its start, and says so", async () => {
    const { id, path } = await readyService(api);
    await api.ask("POST", `${path}/stop`);
    await pass(api, id, { status: "PAUSED" });
    const answer = await api.ask("POST", `${path}/enablePooler`);
    expect(answer.json()).toMatchObject({ message: expect.stringContaining("after the start") });
  });
});

const CHANGES = [
  ["PUT", "allowList", { cidrs: [] }],
  ["POST", "enablePooler", undefined],
  ["POST", "disablePooler", undefined],
] as const;

test.each(CHANGES)(
  "%s %s needs a service that is there and stays, and a key that may write",
  async (method, word, body) => {
    const { path } = await readyService(api);
    const reader = await api.newKey("read_only");
    expect((await api.ask(method, `${path}/${word}`, body, reader.apiKey)).statusCode).toBe(403);
    expect((await api.ask(method, `${api.services}/nonesuch00/${word}`, body)).statusCode).toBe(404);
    await api.ask("DELETE", path);
    expect((await api.ask(method, `${path}/${word}`, body)).statusCode).toBe(409);
  },
);

/** An injected request is sent only once somebody awaits it. */
async function begin<T>(request: PromiseLike<T>): Promise<T> {
  return request;
}

async function rowOf(id: string) {
  const row = await getService(api.store.db, api.projectId, id);
  if (!row) throw new Error("the service is gone");
  return row;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { interval: 10 }).toBe(true);
}
