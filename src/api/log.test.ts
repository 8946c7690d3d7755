/** What the log says of requests, and what it never says. */
import { Writable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestApi } from "../../test/support/api.ts";
import { logTo } from "../lib/log.ts";

const lines: string[] = [];
const log = logTo(
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  }),
  "trace",
);
const api = await openTestApi({ log });
const { app, services, key, store } = api;

beforeEach(() => {
  lines.length = 0;
});

test("a request is one line, with its id, its path without the query, its status and its key's public half", async () => {
  await app.inject({
    url: `${services}?password=hunter2`,
    headers: { authorization: `Bearer ${key.apiKey}`, "x-request-id": "abc-1" },
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "info",
    requestId: "abc-1",
    method: "GET",
    path: services,
    status: 200,
    ms: expect.any(Number),
    key: key.publicKey,
  });
});

test("no secret and no body is ever logged, whether a request succeeds or fails", async () => {
  const { initial_password } = await api.create({ name: "confidential" });
  const headers = { authorization: `Bearer ${key.apiKey}` };
  const basic = `Basic ${Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64")}`;
  await app.inject({ method: "POST", url: services, headers, payload: { name: "", password: "hunter2" } });
  await app.inject({ url: services, headers: { authorization: basic } });
  await app.inject({ url: services, headers: { authorization: `Bearer ${key.apiKey}x` } });
  await app.inject({ url: `/nope?key=${key.apiKey}`, headers });
  await failing(() => api.create({ name: "confidential" }).catch(() => {}));

  const all = lines.join("");
  expect(lines.length).toBeGreaterThan(5);
  for (const secret of [key.secretKey, basic.slice(6), String(initial_password), "hunter2", "confidential"])
    expect(all).not.toContain(secret);
});

describe("what should not break and does", () => {
  test("is a 500 that tells the client nothing but where to look, and the log its cause once", async () => {
    const answer = await failing(() =>
      app.inject({
        url: services,
        headers: { authorization: `Bearer ${key.apiKey}`, "x-request-id": "find-me" },
      }),
    );
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: "INTERNAL",
      message: "something broke that should not have",
      details: "The log has more under the request id find-me.",
    });
    const causes = lines.filter((line) => line.includes('relation \\"services\\" does not exist'));
    expect(causes).toHaveLength(1);
    expect(JSON.parse(causes[0] ?? "")).toMatchObject({ level: "error", requestId: "find-me" });
  });

  test("is counted among the requests at a level that is noticed", async () => {
    await failing(() => app.inject({ url: services, headers: { authorization: `Bearer ${key.apiKey}` } }));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "warn", status: 500, msg: "request" }),
    );
  });
});

test("probes are not worth a line", async () => {
  for (const url of ["/healthz", "/readyz", "/metrics"]) await app.inject(url);
  expect(lines).toEqual([]);
});

/** Does something while the table of services is not there. */
async function failing<T>(ask: () => Promise<T>): Promise<T> {
  await store.pool.query("alter table services rename to hidden");
  try {
    return await ask();
  } finally {
    await store.pool.query("alter table hidden rename to services");
  }
}
