import { describe, expect, test } from "vitest";
import { openTestApi } from "../../test/support/api.ts";

const MAX = 20;
const api = await openTestApi({ rateLimit: { max: MAX, windowMs: 600_000 } });
const { app, services } = api;

const from = (remoteAddress: string, apiKey?: string, url = services) =>
  app.inject({ url, remoteAddress, headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {} });

/** The statuses of so many requests, one after another. */
async function statuses(
  count: number,
  ask: (index: number) => ReturnType<typeof from>,
): Promise<Set<number>> {
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) seen.add((await ask(index)).statusCode);
  return seen;
}

describe("too many requests", () => {
  test("with one key are 429 with the time to wait, from whatever address and in whatever form", async () => {
    const key = await api.newKey("admin");
    const form = (index: number) =>
      app.inject({
        url: services,
        remoteAddress: `10.1.0.${index}`,
        headers: {
          authorization:
            index % 2 === 0
              ? `Bearer ${key.apiKey}`
              : `Basic ${Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64")}`,
        },
      });
    expect(await statuses(MAX, form)).toEqual(new Set([200]));
    const answer = await form(MAX);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(500);
    expect(answer.json()).toMatchObject({ code: "TOO_MANY_REQUESTS", details: expect.any(String) });
  });

  test("with one key leave other keys alone", async () => {
    const [busy, calm] = [await api.newKey("admin"), await api.newKey("admin")];
    await statuses(MAX + 1, () => from("10.2.0.1", busy.apiKey));
    expect((await from("10.2.0.1", calm.apiKey)).statusCode).toBe(200);
  });

  test("with a wrong secret do not count against the key's owner", async () => {
    const key = await api.newKey("admin");
    const wrong = `hdk_${key.publicKey}_${"x".repeat(32)}`;
    await statuses(MAX + 5, () => from("10.3.0.1", wrong));
    expect((await from("10.3.0.2", key.apiKey)).statusCode).toBe(200);
  });

  test("without a key are counted by address", async () => {
    expect(await statuses(MAX, () => from("10.4.0.1"))).toEqual(new Set([401]));
    expect((await from("10.4.0.1")).statusCode).toBe(429);
    expect((await from("10.4.0.2")).statusCode).toBe(401);
  });

  test("for paths that are not there are counted too", async () => {
    expect(await statuses(MAX, () => from("10.5.0.1", undefined, "/nope"))).toEqual(new Set([404]));
    expect((await from("10.5.0.1", undefined, "/nope")).statusCode).toBe(429);
  });

  test("are never held against probes", async () => {
    expect(await statuses(MAX + 5, () => from("10.6.0.1", undefined, "/healthz"))).toEqual(new Set([200]));
  });
});

describe("invented keys", () => {
  const invented = (index: number) => `hdk_invented${index}_${"x".repeat(32)}`;

  test("are refused after a hundred from one address, each of which may be another", async () => {
    expect(await statuses(100, (index) => from("10.7.0.1", invented(index)))).toEqual(new Set([401]));
    const answer = await from("10.7.0.1", invented(101));
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    expect((await from("10.7.0.2", invented(102))).statusCode).toBe(401);
  });

  test("make a key wait that was never right from there, so that guessing on does not pay", async () => {
    const key = await api.newKey("admin");
    await statuses(101, (index) => from("10.9.0.1", invented(index)));
    expect((await from("10.9.0.1", key.apiKey)).statusCode).toBe(429);
    expect((await from("10.9.0.2", key.apiKey)).statusCode).toBe(200);
  });

  test("do not lock out a key that was right from that address before", async () => {
    const key = await api.newKey("admin");
    await from("10.8.0.1", key.apiKey);
    expect(await statuses(101, (index) => from("10.8.0.1", invented(index)))).toEqual(new Set([401, 429]));
    expect((await from("10.8.0.1", key.apiKey)).statusCode).toBe(200);
  });

  test("of one network of IPv6 are counted as from one address", async () => {
    await statuses(100, (index) => from(`2001:db8::${index + 1}`, invented(index)));
    expect((await from("2001:db8::ffff", invented(101))).statusCode).toBe(429);
  });
});
