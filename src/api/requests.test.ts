/** What holds for every request, whatever it asks for. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { strictErrors } from "../../test/support/strict.ts";
import { ERRORS, ErrorBody, errorCodes } from "../contract/errors.ts";

const api = await openTestApi();
const { app, services, key } = api;
const authorization = `Bearer ${key.apiKey}`;

const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: "POST",
    url: services,
    headers: { authorization, "content-type": "application/json", ...headers },
    payload,
  });

describe("a body", () => {
  test.each([
    ["cut off", '{"name": '],
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["text", '"orders"'],
    ["a number", "12"],
    ["two values", '{"name":"a"}{"name":"b"}'],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["nested 30,000 deep", "[".repeat(30_000) + "]".repeat(30_000)],
    ["without a name", "{}"],
  ])("that is %s is 400", async (_, payload) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(strictErrors(ErrorBody, answer.json())).toEqual([]);
    expect(answer.json()).toMatchObject({ code: "INVALID_REQUEST" });
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "nmae"])(
    "with the unknown field %s is 400, and the known ones are named",
    async (field) => {
      const answer = await post(`{"name":"a","${field}":{"name":"b"}}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<ErrorBody>().message).toMatch(
        new RegExp(`^unknown field "${field}"; the known ones are name, addons, cpu_millis`),
      );
    },
  );

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json", "json", ""])(
    "of type %j is 415",
    async (type) => {
      const answer = await post('{"name":"a"}', { "content-type": type });
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    },
  );

  test("of JSON with a charset is taken", async () => {
    const answer = await post('{"name":"a"}', { "content-type": "Application/JSON; charset=utf-8" });
    expect(answer.statusCode).toBe(202);
  });

  test("larger than 64 KiB is 413, also where its length is not told beforehand", async () => {
    const large = JSON.stringify({ name: "a".repeat(65 * 1024) });
    const answer = await post(large);
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expect(await raw(`${head("Transfer-Encoding: chunked")}${chunk}`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("that claims to be larger than 64 KiB is 413 before it has come", async () => {
    expect(await raw(head("Content-Length: 1000000000"))).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("is not asked of operations that take none, whatever header comes along", async () => {
    const answer = await app.inject({
      method: "POST",
      url: `${BASE}/auth/logout`,
      headers: { authorization, "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(204);
  });
});

describe("a path", () => {
  test.each(["/", "/api", BASE, `${BASE}/nope`, `${BASE}/projects/`, "/api/v2/projects", "//"])(
    "%s, that nothing is at, is 404",
    async (url) => {
      const answer = await app.inject({ url, headers: { authorization } });
      expect(answer.statusCode).toBe(404);
      expect(strictErrors(ErrorBody, answer.json())).toEqual([]);
    },
  );

  test.each([
    ["that nobody has", "0000000000"],
    ["too short", "x"],
    ["badly encoded", "%zz"],
    ["a percent sign", "%"],
    ["not UTF-8", "%ff%fe"],
    ["a NUL", "%00"],
    ["with a slash", "a%2fb"],
    ["that climbs", "..%2f.."],
    ["of SQL", "'; drop table services; --"],
    ["of an elephant", "🐘"],
    ["of 12,000 letters", "x".repeat(12_000)],
  ])("with a service id %s is 404", async (_, id) => {
    for (const [method, rest] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/events"],
      ["POST", "/setHA"],
      ["POST", "/resize"],
    ] as const) {
      const body =
        rest === "/resize" ? { cpu_millis: "500" } : rest === "/setHA" ? { replica_count: 0 } : undefined;
      const answer = await api.ask(method, `${services}/${id}${rest}`, body);
      expect([method, rest, answer.statusCode]).toEqual([method, rest, 404]);
      expect(answer.json()).toEqual({ code: "NOT_FOUND", message: "no service with that id exists" });
    }
  });

  test("without a service id is 404", async () => {
    expect((await api.ask("GET", `${services}/`)).statusCode).toBe(404);
  });

  test.each([
    ["that nobody has", "nope"],
    ["of a NUL", "%00"],
    ["badly encoded", "%zz"],
    ["of 9,000 letters", "x".repeat(9_000)],
  ])("with a project id %s is 404", async (_, id) => {
    const answer = await api.ask("GET", `${BASE}/projects/${id}/services`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ code: "NOT_FOUND", message: "no project with that id exists" });
  });
});

describe("a method", () => {
  test.each([
    ["PUT", "", "GET, HEAD, POST"],
    ["PATCH", "/0000000000", "DELETE, GET, HEAD"],
    ["GET", "/0000000000/setHA", "POST"],
    ["OPTIONS", "/0000000000/resize", "POST"],
  ] as const)("%s on …/services%s is 405, and those allowed are named", async (method, rest, allow) => {
    const answer = await api.ask(method, services + rest, method === "PUT" ? { name: "a" } : undefined);
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(strictErrors(ErrorBody, answer.json())).toEqual([]);
  });

  test("that only other protocols have is 405 too", async () => {
    expect(await raw(head("", `PROPFIND ${services}`))).toMatch(
      /^HTTP\/1\.1 405 [^]*allow: GET, HEAD, POST/i,
    );
  });

  test("is judged before the body is read", async () => {
    const answer = await app.inject({
      method: "PUT",
      url: services,
      headers: { authorization, "content-type": "text/plain" },
      payload: "{",
    });
    expect(answer.statusCode).toBe(405);
  });

  test("HEAD is taken where GET is, and has no body", async () => {
    const answer = await api.ask("HEAD", services);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("");
  });
});

test("what is no HTTP is answered in the same shape", async () => {
  const answer = await raw("nonsense\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(strictErrors(ErrorBody, JSON.parse(answer.split("\r\n\r\n")[1] ?? ""))).toEqual([]);
});

test("headers too large are 431", async () => {
  expect(await raw(head(`X-Large: ${"x".repeat(20_000)}`))).toMatch(/^HTTP\/1\.1 431 /);
});

describe("a request id", () => {
  test("is the client's own where it is a plain one", async () => {
    const answer = await app.inject({ url: "/healthz", headers: { "x-request-id": "my-request.1" } });
    expect(answer.headers["x-request-id"]).toBe("my-request.1");
  });

  test.each(["", "with space", "x".repeat(65), '"}{'])("is a new one instead of %j", async (id) => {
    const answer = await app.inject({ url: "/healthz", headers: { "x-request-id": id } });
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test("every answer forbids guessing its type, framing and keeping it", async () => {
  expect((await api.ask("GET", services)).headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
  });
});

test("probes need no key", async () => {
  for (const url of ["/healthz", "/readyz", "/metrics"]) expect((await app.inject(url)).statusCode).toBe(200);
});

test("metrics count requests by route and services by status", async () => {
  await api.create();
  const { body } = await app.inject("/metrics");
  expect(body).toMatch(
    /howdah_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/projects\/:project_id\/services",status="202"\} [1-9]/,
  );
  expect(body).toMatch(/howdah_services\{status="QUEUED"\} [1-9]/);
  expect(body).toMatch(/route="unmatched",status="404"/);
});

test("every code of the registry has a status for clients and a title", () => {
  for (const code of errorCodes()) {
    expect(ERRORS[code].status).toBeGreaterThanOrEqual(400);
    expect(ERRORS[code].title).toMatch(/\.$/);
  }
});

function head(header: string, line = `POST ${services}`): string {
  const lines = [`${line} HTTP/1.1`, "Host: x", `Authorization: ${authorization}`, "Connection: close"];
  return `${[...lines, "Content-Type: application/json", ...(header ? [header] : [])].join("\r\n")}\r\n\r\n`;
}

/** Sends bytes as they are, and resolves with everything that comes back. */
async function raw(text: string): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen.");
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(address.port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.once("close", () => resolve(received));
    // The server may close while the rest of a body it has refused is still under way.
    socket.once("error", (error) => (received === "" ? reject(error) : resolve(received)));
  });
}
