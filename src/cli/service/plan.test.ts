/** What is still to be done, and what a change would take, as people read it. */
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { primary, replica, standing } from "../../../test/support/observations.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { desiredService } from "../../../test/support/services.ts";
import { renderPlan } from "./plan.ts";

const api = await openTestApi();
const cli = await openTestCli(api);
const AT = new Date("2026-11-21T09:30:04.000Z");

async function make(name: string, replicaCount = 0): Promise<string> {
  const { id } = await readyService(api, { name, replica_count: replicaCount });
  const members = [primary(0), ...Array.from({ length: replicaCount }, (_, index) => replica(index + 1))];
  await pass(api, id, { observation: { at: AT, observed: standing(desiredService(), members) } });
  return id;
}

test("plan tells that nothing is left to do, and as of when", async () => {
  await make("settled");
  const { exitCode, stdout } = await cli.run(["plan", "settled"]);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    [
      "Outlook  Nothing is left to do.",
      "Clients  Nobody notices: no session ends.",
      "Seen     2026-11-21T09:30:04.000Z",
      "",
    ].join("\n"),
  );
});

test("a dry run tells the steps and what clients notice, and changes nothing", async () => {
  const id = await make("dry", 1);
  const { exitCode, stdout, stderr } = await cli.run(["resize", "dry", "--memory", "4", "--dry-run"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout.split("\n").slice(0, 8)).toEqual([
    expect.stringMatching(/^ +STEP +CLIENTS$/),
    "1  Setting the CPU and memory of member 0.",
    "2  Setting the CPU and memory of member 1.",
    "3  Telling the members their settings and how many replicas are synchronous.",
    "4  Restarting PostgreSQL on member 1 for settings that need it.",
    "   Waiting for a member's PostgreSQL to answer.",
    expect.stringMatching(/^5 {2}Handing the lead from member 0 to member 1\. +reconnect$/),
    "   Waiting for a member's PostgreSQL to answer.",
  ]);
  expect(stdout).toContain("Clients  When the lead is handed over, sessions on the endpoint end");
  expect((await cli.run(["get", id])).stdout).toMatch(/^Status +READY$/m);
});

test.each([
  ["ha", ["--replicas", "2"], "createMember"],
  ["stop", [], "stopMember"],
  ["switchover", [], "switchover"],
  ["parameters", ["set", "work_mem=64MB"], "configure"],
])("%s has a dry run", async (command, options, step) => {
  const name = `dry ${command}`;
  const id = await make(name, 1);
  const before = await cli.client.getService(id);
  const { exitCode, stdout } = await cli.run([command, name, ...options, "--dry-run", "-o", "json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, outlook: "settles" });
  expect(stdout).toContain(`"kind": "${step}"`);
  expect(await cli.client.getService(id)).toEqual(before);
});

test("a dry run is refused as the real change is", async () => {
  await make("refused");
  expect(await cli.run(["start", "refused", "--dry-run"])).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await cli.run(["plan", "nonesuch"])).toMatchObject({ exitCode: 4, stdout: "" });
});

test("what is waited for is told with since when, and words of an engine cannot write on the terminal", () => {
  const since = "2026-11-21T09:30:00.000Z";
  const waiting_for = { reason: "endpoint", message: "Port \u001b[31min use.", since, overdue: true };
  const plan = {
    dry_run: false,
    outlook: "settles",
    message: "1 step to be done.",
    since,
    waiting_for,
    steps: [],
  };
  expect(renderPlan(plan, false)).toBe(
    [
      "Outlook    1 step to be done.",
      `Waits      Port in use. Since ${since}, overdue.`,
      `Under way  since ${since}`,
    ].join("\n"),
  );
});
