import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { type Parameter, Parameters } from "../../contract/parameters.ts";
import { PARAMETERS } from "../../planner/parameter-catalogue.ts";
import { settingsFor } from "../../planner/settings.ts";

const api = await openTestApi();
const { store, services } = api;
const SIZE = { kind: "dedicated", cpuMillis: 500, memoryGbs: 2 } as const;

async function service(body: Record<string, unknown> = {}) {
  const { service_id: id } = await api.create(body);
  const path = `${services}/${id}`;
  const list = async () => byName((await api.ask("GET", `${path}/parameters`)).json());
  return {
    id,
    path,
    list,
    change: (parameters: unknown, more: object = {}) =>
      api.ask("PATCH", `${path}/parameters`, { parameters, ...more }),
    /** As the reconciler does when it has looked. */
    seen: (settings: Record<string, string> | null) =>
      store.db
        .updateTable("services")
        .set({
          in_force: JSON.stringify({ settings, passwordVersion: 1, allowList: null, pooler: false }),
        })
        .where("id", "=", id)
        .execute(),
  };
}

function byName({ parameters }: Parameters): Record<string, Parameter> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
}

describe("the list", () => {
  test("has every parameter, with what is known of it", async () => {
    const { path } = await service();
    const answer = await api.ask("GET", `${path}/parameters`);
    expect(answer.statusCode).toBe(200);
    const record: Parameters = answer.json();
    expect(strictErrors(Parameters, record)).toEqual([]);
    expect(record.parameters.map(({ name }) => name)).toEqual(PARAMETERS.map(({ name }) => name));
  });

  test("tells type, unit, range and options, for the service's own size", async () => {
    const { list } = await service();
    expect(await list()).toMatchObject({
      shared_buffers: { type: "integer", unit: "8kB", min: "16MB", max: "819MB", restart_required: true },
      statement_timeout: { type: "integer", unit: "ms", min: "1s", max: "7d", special: "0" },
      random_page_cost: { type: "real", unit: null, min: "0", max: "1000", restart_required: false },
      jit: { type: "bool", unit: null },
      log_statement: { type: "enum", unit: null, options: ["none", "ddl", "mod"] },
    });
    const shared = await service({ cpu_millis: "shared" });
    expect(await shared.list()).toMatchObject({ shared_buffers: { max: "409MB", wanted_value: "256MB" } });
  });

  test("tells where a value comes from, and what it would be without a choice", async () => {
    const { list, change } = await service();
    await change({ work_mem: "64MB", jit: "on" });
    expect(await list()).toMatchObject({
      work_mem: { source: "custom", wanted_value: "64MB", size_value: "4MB" },
      jit: { source: "custom", wanted_value: "on", size_value: "on" },
      shared_buffers: { source: "size", wanted_value: "512MB", size_value: "512MB" },
      max_connections: { source: "default", wanted_value: "100", size_value: "100" },
    });
  });

  test("tells what is in force only where it has been seen", async () => {
    const { list, seen } = await service();
    const unknown = { value: null, restart_due: false };
    expect(await list()).toMatchObject({ work_mem: unknown, max_connections: unknown });
    await seen(settingsFor(SIZE, {}));
    expect(await list()).toMatchObject({ work_mem: { value: "4MB" }, max_connections: { value: "100" } });
    await seen(null);
    expect(await list()).toMatchObject({ work_mem: unknown, max_connections: unknown });
  });

  test("tells that a restart is due until the new value is in force", async () => {
    const { list, change, seen } = await service();
    await seen(settingsFor(SIZE, {}));
    await change({ max_connections: 150, work_mem: "8MB" });
    expect(await list()).toMatchObject({
      max_connections: { value: "100", wanted_value: "150", restart_due: true },
      work_mem: { value: "4MB", wanted_value: "8MB", restart_due: false },
      shared_buffers: { restart_due: false },
    });
    await seen(settingsFor(SIZE, { max_connections: "150", work_mem: "8MB" }));
    expect(await list()).toMatchObject({ max_connections: { value: "150", restart_due: false } });
  });
});

describe("a change", () => {
  test("answers 202 with the list as it is wanted now, and the service is QUEUED", async () => {
    const { path, change, list } = await service();
    const answer = await change({ work_mem: "65536kB", jit: false, random_page_cost: 2 });
    expect(answer.statusCode).toBe(202);
    const record: Parameters = answer.json();
    expect(strictErrors(Parameters, record)).toEqual([]);
    expect(byName(record)).toMatchObject({
      work_mem: { wanted_value: "64MB" },
      jit: { wanted_value: "off" },
      random_page_cost: { wanted_value: "2" },
    });
    expect(await list()).toEqual(byName(record));
    expect((await api.ask("GET", path)).json()).toMatchObject({ status: "QUEUED" });
  });

  test("leaves what it does not name, and null takes a choice back", async () => {
    const { change, list } = await service();
    await change({ work_mem: "64MB", jit: "off" });
    await change({ work_mem: null, lock_timeout: "5s" });
    expect(await list()).toMatchObject({
      work_mem: { source: "size", wanted_value: "4MB" },
      jit: { source: "custom", wanted_value: "off" },
      lock_timeout: { source: "custom", wanted_value: "5s" },
    });
  });

  test("of what was never chosen to null changes nothing", async () => {
    const { change, list } = await service();
    const before = await list();
    expect((await change({ jit: null })).statusCode).toBe(202);
    expect(await list()).toEqual(before);
  });

  test("merges with others that are made at the same time", async () => {
    const { path, change, list } = await service();
    const answers = await Promise.all([
      change({ work_mem: "64MB" }),
      change({ jit: "off" }),
      api.ask("POST", `${path}/setHA`, { replica_count: 1 }),
      change({ lock_timeout: "5s" }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202]);
    expect(await list()).toMatchObject({
      work_mem: { wanted_value: "64MB" },
      jit: { wanted_value: "off" },
      lock_timeout: { wanted_value: "5s" },
    });
    expect((await api.ask("GET", path)).json()).toMatchObject({ ha_replicas: { replica_count: 1 } });
  });

  test("is told among the events, with who made it", async () => {
    const { path, change } = await service();
    await change({ work_mem: "64MB", jit: null });
    expect((await api.ask("GET", `${path}/events`)).json()).toMatchObject({
      events: [
        {
          type: "service.parameters.accepted",
          actor: `key:${api.key.publicKey}`,
          message: "Settings were accepted: work_mem 64MB, jit as the size has it.",
        },
        {},
      ],
    });
  });

  test("is 403 with a key that may only read, which may list", async () => {
    const { path } = await service();
    const { apiKey } = await api.newKey("read_only");
    const asked = { parameters: { jit: "off" } };
    expect((await api.ask("PATCH", `${path}/parameters`, asked, apiKey)).statusCode).toBe(403);
    expect((await api.ask("GET", `${path}/parameters`, undefined, apiKey)).statusCode).toBe(200);
  });

  test("is 404 where there is no such service, and so is the list", async () => {
    for (const id of ["zzzzzzzzzz", "no-id"]) {
      const path = `${services}/${id}/parameters`;
      expect((await api.ask("PATCH", path, { parameters: { jit: "off" } })).statusCode).toBe(404);
      expect((await api.ask("GET", path)).statusCode).toBe(404);
    }
  });

  test("is 409 on a service that is being deleted", async () => {
    const { path, change } = await service();
    await api.ask("DELETE", path);
    expect((await change({ jit: "off" })).json()).toEqual({
      code: "CONFLICT",
      message: "the service is being deleted",
    });
  });
});

describe("400, and nothing is changed", () => {
  test.each<[string, unknown]>([
    [
      "max_connections must be a whole number from 75 to 200 at 0.5 CPU and 2 GB; 1000 is not",
      { max_connections: 1000 },
    ],
    ['"fsync" is no parameter that can be changed; GET lists those that can', { fsync: "off" }],
    ['"__proto" is no parameter that can be changed', { __proto: "off" }],
    ['"constructor" is no parameter that can be changed', { constructor: "off" }],
    [
      'jit must be on or off; "maybe" is not; log_statement must be one of',
      { jit: "maybe", log_statement: "" },
    ],
    ['jit must be on or off; "maybe" is not', { work_mem: "64MB", jit: "maybe" }],
    ["parameters.work_mem must be of type string or number or boolean or null", { work_mem: ["64MB"] }],
    ["parameters must have at least one entry", {}],
    ["parameters must be a JSON object", ["work_mem"]],
    ["parameters must be a JSON object", null],
  ])("%s", async (message, parameters) => {
    const { change, list } = await service();
    const before = await list();
    const answer = await change(parameters);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
    expect(await list()).toEqual(before);
  });

  test("where there is no body, or one with other fields", async () => {
    const { path, change } = await service();
    expect((await api.ask("PATCH", `${path}/parameters`)).statusCode).toBe(400);
    expect((await change({ jit: "off" }, { restart: true })).json<ErrorBody>().message).toBe(
      'unknown field "restart"; the known ones are parameters',
    );
  });

  test("without an answer of endless length", async () => {
    const { change } = await service();
    const names = Array.from({ length: 2000 }, (_, index) => `${"x".repeat(10)}${index}`);
    const { message } = (await change(Object.fromEntries(names.map((name) => [name, 1])))).json<ErrorBody>();
    expect(message).toMatch(/; and 1995 more$/);
    expect(message.length).toBeLessThan(1000);
  });
});

describe("a resize", () => {
  test("is refused where a parameter does not fit the new size, until it is cleared", async () => {
    const { path, change } = await service({ cpu_millis: "1000" });
    await change({ shared_buffers: "1GB", jit: "off" });
    const resize = () => api.ask("POST", `${path}/resize`, { cpu_millis: "500" });
    const refused = await resize();
    expect([refused.statusCode, refused.json<ErrorBody>().message]).toEqual([
      400,
      "shared_buffers must be an amount of memory from 16MB to 819MB at 0.5 CPU and 2 GB (in B, kB, MB, GB, TB; a number " +
        'alone counts pages of 8kB); "1GB" is not; change or clear that parameter before this resize',
    ]);
    await change({ shared_buffers: null });
    expect((await resize()).statusCode).toBe(202);
  });

  test("takes along what was chosen, and changes what follows the size", async () => {
    const { path, change, list } = await service();
    await change({ work_mem: "5MB" });
    await api.ask("POST", `${path}/resize`, { cpu_millis: "4000" });
    expect(await list()).toMatchObject({
      work_mem: { source: "custom", wanted_value: "5MB", size_value: "10485kB", max: "2GB" },
      shared_buffers: { source: "size", wanted_value: "4GB" },
    });
  });
});
