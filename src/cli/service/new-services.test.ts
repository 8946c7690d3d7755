/** Services that begin, and the passwords they begin with. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { STEP, startInstantReconciler } from "../../../test/support/instant-reconciler.ts";

const api = await openTestApi();
const reconciler = startInstantReconciler(api.store.db);
const cli = await openTestCli(api);

const passwordIn = (stdout: string) => /tsdbadmin:(\w+)@/.exec(stdout)?.[1] ?? "no password";
const kept = () => readFile(cli.passwords.file, "utf8");

test("create prints the connection string, tells each step, and ends when the service is READY", async () => {
  const { exitCode, stdout, stderr } = await cli.run(["create", "orders"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^orders \(\w{10}\)\npostgresql:\/\/tsdbadmin:\w{32}@db\.example\.test:\d+\/tsdb\?sslmode=require\n/,
  );
  expect(stdout).toContain(`it is kept in ${cli.passwords.file}`);
  expect(stderr).toContain(STEP);
  expect(stderr).toMatch(/ {2}orders is READY\.\n$/);
});

test("the password of a create is kept for psql", async () => {
  const { stdout } = await cli.run(["create", "kept"]);
  expect(await kept()).toContain(`:tsdbadmin:${passwordIn(stdout)}\n`);
});

test("a password that is not to be kept is shown once, and written nowhere", async () => {
  const { stdout } = await cli.run(["create", "unkept", "--no-save-password"]);
  expect(stdout).toContain("kept nowhere");
  expect(await kept()).not.toContain(passwordIn(stdout));
});

test("what is asked for reaches the API", async () => {
  const shape = ["--addons", "ai", "--cpu", "1000", "--replicas", "2", "--environment", "PROD"];
  const { stdout } = await cli.run(["create", "shaped", ...shape, "--region", api.regionCode, "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    name: "shaped",
    status: "READY",
    service_type: "VECTOR",
    resources: [{ spec: { cpu_millis: 1_000, memory_gbs: 4 } }],
    ha_replicas: { replica_count: 2 },
    metadata: { environment: "PROD" },
    region_code: api.regionCode,
    initial_password: expect.any(String),
  });
});

test("plain PostgreSQL is asked for by no add-ons", async () => {
  const { stdout } = await cli.run(["create", "plain", "--addons", "none", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ service_type: "POSTGRES" });
});

test("without waiting, the record is as it was accepted", async () => {
  const { stdout, stderr } = await cli.run(["create", "later", "--no-wait", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "QUEUED", initial_password: expect.any(String) });
  expect(stderr).toBe("");
});

test("Ctrl-C leaves the service alone, keeps its password, and says how to look again", async () => {
  const { exitCode, stdout, stderr } = await cli.run(["create", "left"], { interrupted: true });
  expect(exitCode).toBe(130);
  expect(await kept()).toContain(passwordIn(stdout));
  expect(stderr).toMatch(/left goes on by itself; howdah service events \w{10} tells/);
});

test("a service that is not READY in time is told with its status, and a program still gets the record", async () => {
  await reconciler.pause();
  const late = await cli.run(["create", "slow", "--timeout", "2s", "-o", "json"]);
  reconciler.resume();
  expect(late.exitCode).toBe(7);
  expect(late.stderr).toContain("slow is still QUEUED after 2.0 s");
  expect(JSON.parse(late.stdout)).toMatchObject({ name: "slow", initial_password: expect.any(String) });
});

test("a create that is refused ends by kind, and keeps nothing", async () => {
  const before = await kept();
  const odd = await cli.run(["create", "odd", "--cpu", "1234"]);
  expect(odd.exitCode).toBe(2);
  expect(odd.stderr).toContain("500/2");
  const large = await cli.run(["create", "large", "--cpu", "32000", "--replicas", "8"]);
  expect(large.exitCode).toBe(5);
  expect(await kept()).toBe(before);
});

test.each([
  ["--addons", "ai,graph"],
  ["--replicas", "many"],
  ["--timeout", "soon"],
  ["--environment", "STAGING"],
])("%s %s is refused before anything is sent", async (option, value) => {
  const refused = await cli.run(["create", "never", option, value]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain(option);
  expect((await cli.client.listServices()).map(({ name }) => name)).not.toContain("never");
});

test("fork makes a service with a password of its own", async () => {
  const parent = await cli.run(["create", "parent"]);
  const fork = await cli.run(["fork", "parent", "--name", "child"]);
  expect(fork.exitCode).toBe(0);
  expect(passwordIn(fork.stdout)).not.toBe(passwordIn(parent.stdout));
  for (const { stdout } of [parent, fork]) expect(await kept()).toContain(passwordIn(stdout));
  const { stdout } = await cli.run(["get", "child"]);
  expect(stdout).toMatch(/^Forked from {2}\w{10}$/m);
});

test("a fork of a moment that is not kept says so", async () => {
  await cli.run(["create", "young"]);
  const refused = await cli.run(["fork", "young", "--strategy", "LAST_SNAPSHOT"]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("backups");
});

test("a new password is asked for twice, and takes the old one's place", async () => {
  const { stdout } = await cli.run(["create", "asked"]);
  const set = await cli.run(["password", "asked"], { answers: ["correct horse", "correct horse"] });
  expect(set).toMatchObject({ exitCode: 0 });
  expect(set.stdout + set.stderr).not.toContain("correct horse");
  expect(await kept()).toContain(":tsdbadmin:correct horse\n");
  expect(await kept()).not.toContain(passwordIn(stdout));
});

test("two different answers change nothing", async () => {
  await cli.run(["create", "typo"]);
  const before = await kept();
  expect(await cli.run(["password", "typo"], { answers: ["one password", "another"] })).toMatchObject({
    exitCode: 2,
  });
  expect(await kept()).toBe(before);
});

test("a password can be generated, and is shown once", async () => {
  await cli.run(["create", "generated"]);
  const { stdout } = await cli.run(["password", "generated", "--generate"]);
  expect(passwordIn(stdout)).toMatch(/^\w{32}$/);
  const json = await cli.run(["password", "generated", "--generate", "-o", "json"]);
  expect(await kept()).toContain(JSON.parse(json.stdout).password);
});

test("a password can come from standard input, whose last newline is not part of it", async () => {
  await cli.run(["create", "piped"]);
  await cli.run(["password", "piped", "--password-file", "-"], { input: "from a pipe\n" });
  expect(await kept()).toContain(":tsdbadmin:from a pipe\n");
});

test("a new password that is not to be kept makes the old one be forgotten", async () => {
  const { stdout } = await cli.run(["create", "forgotten"]);
  await cli.run(["password", "forgotten", "--generate", "--no-save-password"]);
  expect(await kept()).not.toContain(passwordIn(stdout));
});

test("a password file that cannot be read is named", async () => {
  await cli.run(["create", "misread"]);
  const misread = await cli.run(["password", "misread", "--password-file", "/none/such"]);
  expect(misread).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("/none/such") });
});

test("a weak password is refused, and nobody is waited for who is not there", async () => {
  await cli.run(["create", "strict"]);
  const weak = await cli.run(["password", "strict", "--password-file", "-"], { input: "short" });
  expect(weak.exitCode).toBe(2);
  const nobody = await cli.run(["password", "strict"]);
  expect(nobody).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--generate") });
});
