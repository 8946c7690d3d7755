/** What `logs` and `metrics` show. */
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { METRICS } from "../../contract/metrics.ts";
import type { LogQuery, MemberLogs } from "../../lib/member-logs.ts";
import { writeSamples } from "../../store/metric-samples.ts";
import { renderEntry } from "./logs.ts";
import { renderValue, sparkline } from "./metrics.ts";

const asked: LogQuery[] = [];
let lines: readonly string[] = [];

function read(query: LogQuery): MemberLogs {
  asked.push(query);
  const entries = lines.map((message, index) => ({
    atMs: Date.UTC(2026, 10, 21, 9) - index,
    severity: "ERROR",
    message,
    user: null,
    database: null,
    pid: null,
    position: ["postgresql-20261121-090000.json", 100 - index] as const,
  }));
  return { ordinals: [0], logs: [{ ordinal: 0, entries, top: null, next: null }] };
}

const api = await openTestApi({ readLogs: async (_region, _id, query) => read(query) });
const cli = await openTestCli(api);
const { service_id: id } = await cli.client.createService({ name: "told" });

test("logs are shown oldest first, with what belongs to an entry indented", async () => {
  lines = ["newer\nSTATEMENT:  select 1", "older"];
  expect((await cli.run(["logs", "told"])).stdout).toBe(
    "2026-11-21T08:59:59.999Z  member-0  ERROR  older\n" +
      "2026-11-21T09:00:00.000Z  member-0  ERROR  newer\n    STATEMENT: select 1\n",
  );
  const { stdout } = await cli.run(["logs", "told", "--limit", "1", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ message: "newer\nSTATEMENT:  select 1", node: "member-0" });
});

test("what is asked for goes to the API", async () => {
  await cli.run([
    "logs",
    "told",
    "--node",
    "0",
    "--severity",
    "error",
    "FATAL",
    "--search",
    "dead",
    "--since",
    "1h",
  ]);
  expect(asked.at(-1)).toMatchObject({ ordinal: 0, severities: ["ERROR", "FATAL"], search: ["dead"] });
  expect(Date.now() - (asked.at(-1)?.sinceMs ?? 0)).toBeGreaterThanOrEqual(3_600_000);
  const refused = await cli.run(["logs", "told", "--node", "9"]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("member-0");
});

test("colours are for what went wrong, and control characters never reach the terminal", () => {
  const entry = { timestamp: "t", node: "member-0", severity: "ERROR", message: "a\u001b[2Jb" };
  expect(renderEntry(entry, true)).toBe("t  member-0  \u001b[31mERROR\u001b[0m  ab");
  expect(renderEntry({ ...entry, severity: "LOG" }, true)).toBe("t  member-0  LOG  ab");
});

test("metrics tell when there is nothing, and then a line for each node", async () => {
  expect((await cli.run(["metrics", "told"])).stdout).toBe("Nothing was measured in that time.\n");
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const values = METRICS.map(({ name }) => (name === "memory_bytes" ? 3 * 1024 ** 2 : null));
  await writeSamples(api.store, [{ serviceId: id, node: 0, role: "primary", at, values }]);
  expect((await cli.run(["metrics", "told"])).stdout).toMatch(
    /^memory_bytes +member-0 +primary +3 MiB +3 MiB +3 MiB +█$/m,
  );
  const { stdout } = await cli.run(["metrics", "told", "memory_bytes", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: "memory_bytes", series: [{ labels: { node: "member-0" } }] },
  ]);
  const refused = await cli.run(["metrics", "told", "nonsense"]);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("cpu_millis")]);
});

test("a sparkline goes from nothing to the most, with its gaps", () => {
  expect(sparkline([0, 50, null, 100])).toBe("▁▅ █");
  expect(sparkline([0, 0])).toBe("▁▁");
  expect(sparkline([])).toBe("");
});

test("values are written as people read them", () => {
  expect(renderValue("memory_bytes", 1536 * 1024)).toBe("1.5 MiB");
  expect(renderValue("wal_bytes_per_second", 512)).toBe("512 B/s");
  expect(renderValue("cpu_millis", 24.4444)).toBe("24.4");
  expect(renderValue("locks", 0)).toBe("0");
});
