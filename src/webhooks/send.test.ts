import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { openReceiver } from "../../test/support/receiver.ts";
import { reachableAddresses } from "../lib/reachable-addresses.ts";
import { type SendOptions, send } from "./send.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const BODY = JSON.stringify({ type: "service.status", timestamp: "2026-11-21T09:30:00Z", data: { ü: "ß" } });

const options = (more: Partial<SendOptions> = {}): SendOptions => ({
  reachable: reachableAddresses(["127.0.0.0/8"]),
  resolve: async () => ["127.0.0.1"],
  now: () => new Date(),
  signal: new AbortController().signal,
  ...more,
});
const message = (url: string) => ({ url, id: "msg_1", body: BODY, secrets: [SECRET] });

const ok = await openReceiver();
const onlyPublic = options({ reachable: reachableAddresses() });

test("what is sent is signed so that the specification's own library takes it, with each secret", async () => {
  const answer = await send({ ...message(ok.url), secrets: [SECRET, OLD_SECRET] }, options());
  expect(answer).toEqual({ status: 204, error: null, retryAfterMs: null });
  const { headers = {}, body = "" } = ok.received.at(-1) ?? {};
  expect(headers["webhook-id"]).toBe("msg_1");
  expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(BODY));
  expect(new Webhook(OLD_SECRET).verify(body, headers)).toEqual(JSON.parse(BODY));
  expect(() => new Webhook("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").verify(body, headers)).toThrow(
    "No matching signature",
  );
  expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow("No matching signature");
});

test.each([
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://10.0.0.1/",
  "https://[fd00::1]/",
])("%s is not even connected to", async (url) => {
  const answer = await send(message(url), onlyPublic);
  expect(answer).toMatchObject({
    status: null,
    error: expect.stringContaining("no address that webhooks may go to"),
  });
});

test("a name that leads to what is not public is refused, however many public addresses stand beside it", async () => {
  const received = ok.received.length;
  const url = `https://hooks.example.test:${ok.port}/`;
  for (const addresses of [["127.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1", "10.0.0.1"]])
    expect(
      await send(message(url), options({ ...onlyPublic, resolve: async () => addresses })),
    ).toMatchObject({
      error: expect.stringContaining("where webhooks may not go"),
    });
  expect(ok.received).toHaveLength(received);
});

test("a name that is rebound between two lookups is connected to where it was checked, or not at all", async () => {
  const here = await openReceiver(undefined, "127.0.0.2");
  const inside = await openReceiver(undefined, "127.0.0.1", here.port);
  const answers = [["127.0.0.2"], ["127.0.0.1"]];
  const lookups: string[] = [];
  const rebinding = options({
    reachable: reachableAddresses(["127.0.0.2/32"]),
    resolve: async (host) => {
      lookups.push(host);
      return answers.shift() ?? [];
    },
  });
  const url = `http://hooks.example.test:${here.port}/`;
  expect(await send(message(url), rebinding)).toMatchObject({ status: 204 });
  expect(lookups).toEqual(["hooks.example.test"]);
  expect(await send(message(url), rebinding)).toMatchObject({
    status: null,
    error: expect.stringMatching(/where webhooks may not go/),
  });
  expect(here.received).toHaveLength(1);
  expect(inside.received).toHaveLength(0);
});

test("without TLS nothing goes to an address that is merely public", async () => {
  const answer = await send(
    message("http://hooks.example.test/"),
    options({ resolve: async () => ["8.8.8.8"] }),
  );
  expect(answer).toMatchObject({ status: null, error: expect.stringMatching(/where webhooks may not go/) });
});

test("a redirect is not followed", async () => {
  const received = ok.received.length;
  const elsewhere = await openReceiver((response) => response.writeHead(307, { location: ok.url }).end());
  expect(await send(message(elsewhere.url), options())).toMatchObject({
    status: 307,
    error: "the receiver answered 307; redirects are not followed",
  });
  expect(ok.received).toHaveLength(received);
});

test("a receiver that says nothing is given up after the time it has", async () => {
  const silent = await openReceiver(() => undefined);
  expect(await send(message(silent.url), options({ timeoutMs: 50 }))).toMatchObject({
    status: null,
    error: "no answer within 0.05 s",
  });
});

test("of an answer without an end only the beginning is read", async () => {
  const endless = await openReceiver((response) => {
    response.writeHead(200);
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(1024))) continue;
    };
    response.on("drain", write);
    write();
  });
  expect(await send(message(endless.url), options())).toMatchObject({ status: 200, error: null });
});

test("a refusal tells its status, and when it may be tried again", async () => {
  const busy = await openReceiver((response) =>
    response.writeHead(503, { "retry-after": "7" }).end("secret details"),
  );
  expect(await send(message(busy.url), options())).toEqual({
    status: 503,
    error: "the receiver answered 503",
    retryAfterMs: 7_000,
  });
});

test("where nobody listens, the error says so", async () => {
  const answer = await send(message("http://127.0.0.1:1/"), options());
  expect(answer).toMatchObject({ status: null, error: expect.stringContaining("ECONNREFUSED") });
});
