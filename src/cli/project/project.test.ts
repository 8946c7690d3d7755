import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { createApp } from "../../api/app.ts";
import { type Client, createClient } from "../../client/index.ts";

const api = await openTestApi();
const { store, encryption, projectId, key } = api;
const cli = await openTestCli(api);

async function serve(port: number) {
  const app = await createApp({ store, encryption, endpointHost: () => "db.example.test" });
  const origin = await app.listen({ host: "127.0.0.1", port });
  return { app, origin };
}

test("events are listed oldest first, of one service or of all", async () => {
  const { service_id } = await api.create({ name: "orders" });
  await api.create({ name: "stock" });
  const all = await cli.runAny(["events", "--json"]);
  expect(all.exitCode).toBe(0);
  const types = all.stdout
    .trimEnd()
    .split("\n")
    .map((line): { service_id: string } => JSON.parse(line));
  expect(types.map((event) => event.service_id)).toContain(service_id);
  const one = await cli.runAny(["events", "--service", "orders"]);
  expect(one.stdout).toMatch(/AT +SERVICE +BY +WHAT\n.*orders was accepted/);
  expect(one.stdout).not.toContain("stock");
  expect((await cli.runAny(["events", "--service", "orders", "--type", "webhook"])).stdout).not.toContain(
    "orders",
  );
});

test("following goes on over a restart, says so, and misses nothing", async () => {
  const { service_id } = await api.create({ name: "followed" });
  const port = await freePort();
  const first = await serve(port);
  const ctrlC = new AbortController();
  const client = createClient({ baseUrl: `${first.origin}${BASE}`, apiKey: key.apiKey, projectId });
  const got: string[] = [];
  const notes: string[] = [];
  const following = (async () => {
    const options = {
      signal: ctrlC.signal,
      lastEventId: "0",
      onLost: (why: string) => void notes.push(`lost: ${why}`),
      onBack: () => void notes.push("back"),
    };
    for await (const { message } of client.streamEvents({ serviceId: service_id }, options))
      got.push(message);
  })();
  await expect.poll(() => [got.length, ...notes]).toEqual([1]);
  await first.app.close();
  await api.ask("POST", `${api.services}/${service_id}/rename`, { name: "while away" });
  const second = await serve(port);
  await expect.poll(() => got.length).toBe(2);
  expect(notes).toEqual([expect.stringMatching(/^lost: /), "back"]);
  expect(got[1]).toContain("while away");
  ctrlC.abort();
  await following;
  await second.app.close();
});

test("-f prints the latest and then what happens, until Ctrl-C", async () => {
  const served = await serve(0);
  const inner = createClient({ baseUrl: `${served.origin}${BASE}`, apiKey: key.apiKey, projectId });
  const { service_id } = await api.create({ name: "watched" });
  const ctrlC = new AbortController();
  const client: Client = {
    ...inner,
    async *streamEvents(query, options) {
      await api.ask("POST", `${api.services}/${service_id}/rename`, { name: "watched 2" });
      for await (const event of inner.streamEvents(query, options)) {
        yield event;
        ctrlC.abort();
      }
    },
  };
  const running = cli.run(["events", service_id, "-f", "-o", "json"], { client, signal: ctrlC.signal });
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(130);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line): { type: string } => JSON.parse(line));
  expect(lines.map(({ type }) => type)).toEqual(["service.create.accepted", "service.renamed"]);
  await served.app.close();
});

test("webhooks are made, shown, tried, looked at and deleted", async () => {
  const created = await cli.runAny([
    "webhooks",
    "create",
    "https://hooks.example.com/in",
    "--type",
    "service.status",
  ]);
  expect(created.stdout).toMatch(/Secret {2}whsec_/);
  const [, id = ""] = /Webhook (\w{10})/.exec(created.stdout) ?? [];
  expect((await cli.runAny(["webhooks", "list"])).stdout).toMatch(
    new RegExp(`${id} +https://hooks.example.com/in +service.status +enabled`),
  );
  expect((await cli.runAny(["webhooks", "test", id])).stdout).toMatch(/Delivery \d+ is on its way/);
  const deliveries = await cli.runAny(["webhooks", "deliveries", id]);
  const [, delivery = ""] = /\n(\d+) .*webhook.test +pending/.exec(deliveries.stdout) ?? [];
  expect((await cli.runAny(["webhooks", "redeliver", id, delivery])).exitCode).toBe(0);
  expect((await cli.runAny(["webhooks", "rotate", id])).stdout).toMatch(/whsec_/);
  expect((await cli.runAny(["webhooks", "disable", id])).stdout).toBe(`${id} is disabled.\n`);
  expect((await cli.runAny(["webhooks", "enable", id])).stdout).toBe(`${id} is enabled.\n`);
  expect((await cli.runAny(["webhooks", "delete", id])).exitCode).toBe(0);
  expect(await cli.runAny(["webhooks", "test", id])).toMatchObject({ exitCode: 4 });
});

test("the audit is printed as JSON lines", async () => {
  const { stdout, exitCode } = await cli.runAny(["audit", "--since", "1h"]);
  expect(exitCode).toBe(0);
  const [first] = stdout.split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ operation: "createService", status: 202 });
  expect((await cli.runAny(["audit", "--since", "yesterday"])).exitCode).toBe(2);
});
