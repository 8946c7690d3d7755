/** Services that are there: how they are found, shown and changed. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { STEP, startInstantReconciler } from "../../../test/support/instant-reconciler.ts";

const api = await openTestApi();
startInstantReconciler(api.store.db);
const cli = await openTestCli(api);

async function make(name: string, replicaCount = 0): Promise<string> {
  const { service_id } = await cli.client.createService({ name, replica_count: replicaCount });
  await cli.client.waitFor(service_id, "READY", { deadlineMs: 60_000 });
  return service_id;
}

const jsonOf = async (...words: string[]) => JSON.parse((await cli.run([...words, "-o", "json"])).stdout);

test("list tells there are none, and then shows each in a line", async () => {
  expect(await cli.run(["list"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("howdah service create"),
  });
  const id = await make("listed");
  const { stdout } = await cli.run(["list"]);
  expect(stdout).toMatch(/^NAME +ID +STATUS +SIZE +REPLICAS +TYPE +ENVIRONMENT +ENDPOINT\n/);
  expect(stdout).toMatch(
    new RegExp(
      `^listed +${id} +READY +0\\.5 CPU, 2 GB +0 +TIMESERIESDB +DEV +db\\.example\\.test:\\d+$`,
      "m",
    ),
  );
  expect(await jsonOf("list")).toMatchObject([{ service_id: id, status: "READY" }]);
});

test("colours are on a terminal alone", async () => {
  await make("coloured");
  expect((await cli.run(["get", "coloured"])).stdout).not.toContain("\u001b");
  expect((await cli.run(["get", "coloured"], { terminal: true })).stdout).toContain(
    "\u001b[32mREADY\u001b[0m",
  );
});

test("a service is found by its id and by its name, and shown without a password", async () => {
  const id = await make("found");
  for (const word of [id, "found"]) {
    const { exitCode, stdout } = await cli.run(["get", word]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Connection +postgresql:\/\/tsdbadmin@db\.example\.test:\d+\/tsdb\?sslmode=require$/m,
    );
  }
  expect(await jsonOf("get", "found")).toMatchObject({ service_id: id, name: "found" });
});

test("a name that looks like an id is a name too", async () => {
  const id = await make("abcdefghij");
  expect(await jsonOf("get", "abcdefghij")).toMatchObject({ service_id: id });
});

test("a name that several have is answered with their ids", async () => {
  const ids = [await make("twin"), await make("twin")];
  const { exitCode, stderr } = await cli.run(["get", "twin"]);
  expect(exitCode).toBe(2);
  for (const id of ids) expect(stderr).toContain(id);
});

test("what does not exist ends with 4", async () => {
  expect(await cli.run(["get", "nonesuch"])).toMatchObject({ exitCode: 4, stdout: "" });
});

test("ha and resize wait until they are in force", async () => {
  const id = await make("grown");
  const { exitCode, stdout, stderr } = await cli.run(["ha", "grown", "--replicas", "2", "--sync", "1"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Status +READY$/m);
  expect(stdout).toMatch(/^Replicas +2 \(1 synchronous\)$/m);
  expect(stderr).toContain(STEP);
  expect((await cli.run(["resize", id, "--memory", "4"])).stdout).toMatch(/^Size +1 CPU, 4 GB$/m);
  expect(await jsonOf("resize", id, "--cpu", "2000", "--no-wait")).toMatchObject({ status: "QUEUED" });
});

test.each(["ha", "resize"])("%s without anything to change is refused", async (command) => {
  await make(`unchanged ${command}`);
  expect(await cli.run([command, `unchanged ${command}`])).toMatchObject({ exitCode: 2, stdout: "" });
});

test("switchover ends in READY, and is refused where nobody could take over", async () => {
  const id = await make("handing", 1);
  expect((await cli.run(["switchover", id])).stdout).toMatch(/^Status +READY$/m);
  const alone = await make("alone");
  const { exitCode, stderr } = await cli.run(["switchover", alone]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("has no replica that could take over");
});

test("stop and start end in PAUSED and READY, and a second stop is refused", async () => {
  await make("power");
  expect((await cli.run(["stop", "power"])).stdout).toMatch(/^Status +PAUSED$/m);
  expect(await cli.run(["stop", "power"])).toMatchObject({ exitCode: 2, stdout: "" });
  const resized = await cli.run(["resize", "power", "--cpu", "1000"]);
  expect(resized).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Status +PAUSED$/m) });
  expect((await cli.run(["start", "power"])).stdout).toMatch(/^Status +READY$/m);
});

test("a service that somebody else stopped is not waited for", async () => {
  const id = await make("stopped");
  await cli.run(["stop", id]);
  // As if it had been stopped after the change was sent: the wait sees only what is told now.
  const { service_id } = await cli.client.getService(id);
  const racing = {
    ...cli.client,
    setHa: () => cli.client.getService(service_id),
    getService: async () => ({ ...(await cli.client.getService(id)), status: "READY" }),
  };
  const { exitCode, stderr } = await cli.run(["ha", id, "--replicas", "1"], { client: racing });
  expect(exitCode).toBe(5);
  expect(stderr).toContain("stopped is PAUSED");
});

test("rename and environment answer at once", async () => {
  const id = await make("old name");
  expect(await jsonOf("rename", id, "new name")).toMatchObject({ name: "new name" });
  expect((await cli.run(["environment", "new name", "PROD"])).stdout).toContain("PROD");
  expect(await jsonOf("get", id)).toMatchObject({ metadata: { environment: "PROD" } });
});

test("the pooler is switched and shown, and a kept password follows it", async () => {
  const created = await cli.run(["create", "pooled"]);
  const password = /tsdbadmin:(\w+)@/.exec(created.stdout)?.[1] ?? "";
  const { service_id } = await jsonOf("get", "pooled");
  expect((await cli.run(["pooler", "pooled"])).stdout).toContain("off");
  const { stdout } = await cli.run(["pooler", "pooled", "on"]);
  const port = /:(\d+)/.exec(stdout)?.[1];
  expect((await cli.run(["pooler", "pooled"])).stdout).toContain(`:${port}/tsdb`);
  expect(await jsonOf("pooler", "pooled")).toMatchObject({ endpoint: { port: Number(port) } });
  const { places } = await keptFor(service_id);
  expect(places).toContain(`db.example.test:${port}`);
  expect(await cli.passwords.find(service_id, "tsdbadmin")).toBe(password);
  await cli.run(["pooler", "pooled", "off"]);
  expect((await keptFor(service_id)).places).not.toContain(`db.example.test:${port}`);
});

test("parameters are listed, set and cleared", async () => {
  await make("tuned");
  const { stdout } = await cli.run(["parameters", "tuned"]);
  expect(stdout).toMatch(/^NAME +VALUE +CHOSEN BY +SIZE'S OWN +ACCEPTED +RESTART\n/);
  expect((await cli.run(["parameters", "tuned", "--changed"])).stdout).toContain("as the size has it");
  const set = await cli.run(["parameters", "tuned", "set", "work_mem=8MB", "statement_timeout=30s"]);
  expect(set.exitCode).toBe(0);
  expect(set.stdout).toMatch(/^work_mem +8MB +custom/m);
  expect(set.stdout.trim().split("\n")).toHaveLength(3);
  expect((await jsonOf("parameters", "tuned", "--changed")).parameters).toHaveLength(2);
  await cli.run(["parameters", "tuned", "clear", "work_mem", "statement_timeout"]);
  expect((await jsonOf("parameters", "tuned", "--changed")).parameters).toEqual([]);
});

test.each([
  [["set"], "Say what to set"],
  [["set", "work_mem"], "work_mem=64MB"],
  [["set", "fsync=off"], "fsync"],
])("parameters %j is refused with what would be accepted", async (words, hint) => {
  const id = await make("fussy");
  const refused = await cli.run(["parameters", id, ...words]);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(hint) });
});

test("the allow-list is shown, set, extended and shortened", async () => {
  await make("guarded");
  const allow = async (...words: string[]) => (await cli.run(["allow", "guarded", ...words])).stdout;
  expect(await allow()).toBe("0.0.0.0/0\n::/0\n");
  expect(await allow("set", "192.0.2.0/24")).toBe("192.0.2.0/24\n");
  expect(await allow("add", "198.51.100.7", "2001:DB8::/32")).toBe(
    "192.0.2.0/24\n198.51.100.7/32\n2001:db8::/32\n",
  );
  expect(await allow("remove", "198.51.100.7")).toBe("192.0.2.0/24\n2001:db8::/32\n");
  expect(await allow("set", "nobody")).toBe("Nobody may connect.\n");
  expect(await allow("set", "everybody")).toBe("0.0.0.0/0\n::/0\n");
  expect(await jsonOf("allow", "guarded")).toEqual({ cidrs: ["0.0.0.0/0", "::/0"] });
});

test.each([
  [["set"], "Say what to set"],
  [["set", "10.1.2.3/8"], "10.0.0.0/8"],
  [["add", "192.0.2.0/24"], "set instead of add"],
  [["remove", "192.0.2.0/24"], "not in the list"],
])("allow %j is refused with what was meant", async (words, hint) => {
  const id = await make("wide open");
  const refused = await cli.run(["allow", id, ...words]);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(hint) });
});

test("a protected service stays, and the command says how to lift that", async () => {
  const id = await make("precious");
  expect((await cli.run(["protect", "precious"])).stdout).toContain("not protected");
  await cli.run(["protect", "precious", "on"]);
  const refused = await cli.run(["delete", "precious", "--yes"]);
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("howdah service protect") });
  expect(await jsonOf("get", id)).toMatchObject({ status: "READY" });
  expect(await jsonOf("protect", "precious", "off")).toEqual({ deletion_protection: false });
});

test("delete waits until the service is gone, and forgets its password", async () => {
  await cli.run(["create", "doomed"]);
  const { service_id } = await jsonOf("get", "doomed");
  expect(await cli.passwords.find(service_id, "tsdbadmin")).not.toBeNull();
  const { exitCode, stdout } = await cli.run(["delete", "doomed", "--yes"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `doomed (${service_id}) is deleted.\n` });
  expect(await cli.passwords.find(service_id, "tsdbadmin")).toBeNull();
  expect(await cli.run(["get", service_id])).toMatchObject({ exitCode: 4 });
});

test("nothing is deleted that was not confirmed by its name", async () => {
  const id = await make("spared");
  expect(await cli.run(["delete", "spared"])).toMatchObject({ exitCode: 2 });
  expect(await cli.run(["delete", "spared"], { answers: ["y"] })).toMatchObject({ exitCode: 2 });
  expect(await jsonOf("get", id)).toMatchObject({ status: "READY" });
  expect(await cli.run(["delete", "spared"], { answers: ["spared"] })).toMatchObject({ exitCode: 0 });
});

test("events tell the story, oldest first, and why the status is what it is", async () => {
  await make("told");
  const { stdout } = await cli.run(["events", "told"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^AT +BY +WHAT$/);
  expect(lines[1]).toContain("told was accepted");
  expect(lines[2]).toContain(STEP);
  expect(lines.at(-1)).toBe("READY: Everything that was asked for is in force.");
  expect((await jsonOf("events", "told", "--limit", "1")).events).toHaveLength(1);
});

test("a name of somebody else's cannot steer the terminal", async () => {
  const id = await make("\u001b[2Jwiped");
  for (const words of [["list"], ["get", id], ["rename", id, "\u001b[2Jagain"]]) {
    const { stdout } = await cli.run(words);
    expect(stdout).not.toContain("\u001b");
  }
});

test("a key that may only read is told so with 3", async () => {
  await make("locked");
  const { apiKey } = await api.newKey("read_only");
  const reader = { client: cli.clientOf(apiKey) };
  expect(await cli.run(["get", "locked"], reader)).toMatchObject({ exitCode: 0 });
  expect(await cli.run(["stop", "locked"], reader)).toMatchObject({ exitCode: 3, stdout: "" });
  const stranger = { client: cli.clientOf("howdah_unknown_unknown") };
  expect(await cli.run(["list"], stranger)).toMatchObject({ exitCode: 3 });
});

async function keptFor(serviceId: string): Promise<{ places: string[] }> {
  const text = await readFile(cli.passwords.file, "utf8");
  const block = text.split("# howdah ").find((part) => part.startsWith(serviceId)) ?? "";
  return { places: [...block.matchAll(/^([\w.]+:\d+):/gm)].map(([, place]) => place ?? "") };
}
