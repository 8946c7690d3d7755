import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Fetch } from "./http.ts";
import { readAsItComes } from "./streamed-answer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An answer that begins with these pieces and goes on for as long as nobody ends it. */
function unending(...pieces: string[]) {
  const cancelled = vi.fn<() => void>();
  let lose: (error: Error) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      lose = (error) => controller.error(error);
    },
    cancel: cancelled,
  });
  const fetch: Fetch = async (_url, { signal }) => {
    signal?.addEventListener("abort", () => lose(new Error("aborted")));
    return new Response(body);
  };
  return { fetch, cancelled, lose: (error: Error) => lose(error) };
}

function read(fetch: Fetch, signal = new AbortController().signal) {
  const http = { baseUrl: "http://api.test/v1", apiKey: "key", fetch, timeoutMs: 50 };
  return readAsItComes(http, { path: "/audit", headers: {}, signal });
}

test("an answer that falls silent is given up", async () => {
  const pieces = read(unending("one").fetch);
  expect(await pieces.next()).toEqual({ done: false, value: "one" });
  await Promise.all([
    expect(pieces.next()).rejects.toMatchObject({ name: "ClientError", code: "TIMEOUT" }),
    vi.advanceTimersByTimeAsync(45_000),
  ]);
});

test("a reader may take its time", async () => {
  const answer = unending("one", "two");
  const pieces = read(answer.fetch);
  await pieces.next();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await pieces.next()).toEqual({ done: false, value: "two" });
});

test("an API that does not begin to answer is given up", async () => {
  const never: Fetch = (_url, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", reject));
  await Promise.all([
    expect(read(never).next()).rejects.toMatchObject({ code: "TIMEOUT" }),
    vi.advanceTimersByTimeAsync(45_000),
  ]);
});

test("a connection that breaks in the middle is told as such", async () => {
  const answer = unending("one");
  const pieces = read(answer.fetch);
  await pieces.next();
  answer.lose(new TypeError("terminated"));
  await expect(pieces.next()).rejects.toMatchObject({ name: "ClientError", code: "UNREACHABLE" });
});

test("whoever aborts it gets the reason that was given", async () => {
  const aborting = new AbortController();
  const pieces = read(unending("one").fetch, aborting.signal);
  await pieces.next();
  aborting.abort(new Error("enough"));
  await expect(pieces.next()).rejects.toThrow("enough");
});

test("the connection ends with whoever reads it", async () => {
  const answer = unending("one", "two");
  for await (const piece of read(answer.fetch)) {
    expect(piece).toBe("one");
    break;
  }
  expect(answer.cancelled).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
