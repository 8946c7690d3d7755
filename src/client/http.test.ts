import { Type } from "typebox";
import { expect, test, vi } from "vitest";
import { createHttp, type Fetch } from "./http.ts";

const ORDERS = { name: "orders" };
const Named = Type.Object({ name: Type.String() });
const read = { method: "GET", path: "/services", answer: Named, repeatable: true } as const;

/** Gives one answer after the other; the last one again and again. */
function answering(...answers: (() => Promise<Response>)[]) {
  const fetch = vi.fn<Fetch>(() => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw new Error("a fetch needs an answer");
    return answer();
  });
  const send = createHttp({ baseUrl: "http://api.test/v1", apiKey: "key", fetch, timeoutMs: 60_000 });
  return { fetch, send };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  async () =>
    new Response(JSON.stringify(body), { status, headers });
const refused = async () => {
  throw new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
  });
};
const never = (_url: string, init: RequestInit) =>
  new Promise<Response>((_, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

test("a request carries the key, and a body its type", async () => {
  const { fetch, send } = answering(json(ORDERS));
  await send({ method: "POST", path: "/services", body: ORDERS, answer: Named });
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    "http://api.test/v1/services",
    expect.objectContaining({
      method: "POST",
      body: '{"name":"orders"}',
      headers: expect.objectContaining({ authorization: "Bearer key", "content-type": "application/json" }),
      redirect: "error",
    }),
  );
});

test("a field more in an answer is no problem", async () => {
  const { send } = answering(json({ ...ORDERS, colour: "blue" }));
  expect(await send(read)).toMatchObject(ORDERS);
});

test("an answer that is something else is refused with what it might be", async () => {
  const { send } = answering(async () => new Response("<html>hello</html>"));
  await expect(send(read)).rejects.toMatchObject({
    code: "UNEXPECTED_ANSWER",
    status: 200,
    details: expect.stringContaining("address"),
  });
});

test("an error has the API's code, message, details and request id", async () => {
  const body = { code: "NO_CAPACITY", message: "no room", details: "500/2 fits", more: 1 };
  const { send, fetch } = answering(json(body, 409, { "x-request-id": "abc" }));
  await expect(send(read)).rejects.toMatchObject({
    name: "ClientError",
    code: "NO_CAPACITY",
    status: 409,
    message: "no room",
    details: "500/2 fits",
    requestId: "abc",
  });
  expect(fetch).toHaveBeenCalledOnce();
});

test("a code that a newer API invented is kept", async () => {
  const { send } = answering(json({ code: "FROZEN", message: "too cold" }, 418));
  await expect(send(read)).rejects.toMatchObject({ code: "FROZEN", status: 418 });
});

test("an error in a proxy's words keeps its status", async () => {
  const { send } = answering(async () => new Response("<h1>Bad Gateway</h1>", { status: 502 }));
  await expect(send(read)).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER", status: 502 });
});

test("a read is sent again after a 503, once the API wants it", async () => {
  const busy = json({ code: "UNAVAILABLE", message: "not now" }, 503, { "retry-after": "0" });
  const { send, fetch } = answering(busy, busy, json(ORDERS));
  expect(await send(read)).toEqual(ORDERS);
  expect(fetch).toHaveBeenCalledTimes(3);
});

test("a change is never sent again by itself", async () => {
  const { send, fetch } = answering(
    json({ code: "UNAVAILABLE", message: "not now" }, 503, { "retry-after": "0" }),
  );
  await expect(send({ ...read, method: "POST", repeatable: false })).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  expect(fetch).toHaveBeenCalledOnce();
});

test("an API that cannot be reached is named, with the reason that the system gives", async () => {
  const { send } = answering(refused);
  await expect(send({ ...read, repeatable: false })).rejects.toMatchObject({
    code: "UNREACHABLE",
    status: null,
    message: "cannot reach http://api.test/v1: connect ECONNREFUSED 127.0.0.1:1",
  });
});

test("an API that does not answer is given up after the time limit", async () => {
  const send = createHttp({ baseUrl: "http://api.test/v1", apiKey: "key", fetch: never, timeoutMs: 50 });
  await expect(send({ ...read, repeatable: false })).rejects.toMatchObject({ code: "TIMEOUT", status: null });
});

test("a body that never ends counts against the time limit too", async () => {
  const fetch: Fetch = async (_url, { signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          signal?.addEventListener("abort", () => controller.error(signal.reason));
        },
      }),
    );
  const send = createHttp({ baseUrl: "http://api.test/v1", apiKey: "key", fetch, timeoutMs: 50 });
  await expect(send({ ...read, repeatable: false })).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("a caller's signal ends a call with its own reason, also between two tries", async () => {
  const { send, fetch } = answering(json({ code: "UNAVAILABLE", message: "" }, 503, { "retry-after": "9" }));
  const reason = new Error("enough");
  const signal = AbortSignal.timeout(20);
  const own = new AbortController();
  signal.addEventListener("abort", () => own.abort(reason));
  await expect(send({ ...read, signal: own.signal })).rejects.toBe(reason);
  expect(fetch).toHaveBeenCalledOnce();
});
