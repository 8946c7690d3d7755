/** Who leads, who follows, as it was observed last. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import {
  catchingUp,
  frozen,
  leaderless,
  primary,
  replica,
  silent,
  standing,
  stopped,
} from "../../../test/support/observations.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { desiredService } from "../../../test/support/services.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { METRICS, type MetricName } from "../../contract/metrics.ts";
import { ServiceNodes } from "../../contract/nodes.ts";
import type { ObservedMember } from "../../planner/observed.ts";
import { writeSamples } from "../../store/metric-samples.ts";

const api = await openTestApi();
const AT = new Date("2026-11-21T09:30:04.000Z");

async function see(id: string, members: readonly ObservedMember[], at = AT) {
  await pass(api, id, { observation: { at, observed: standing(desiredService(), members) } });
}

async function nodesOf(path: string): Promise<ServiceNodes> {
  const answer = await api.ask("GET", `${path}/nodes`);
  expect(answer.statusCode).toBe(200);
  expect(strictErrors(ServiceNodes, answer.json())).toEqual([]);
  return answer.json();
}

const sampled = (serviceId: string, node: number, at: Date, values: Partial<Record<MetricName, number>>) =>
  writeSamples(api.store, [
    { serviceId, node, role: "replica", at, values: METRICS.map(({ name }) => values[name] ?? null) },
  ]);

describe("GET …/nodes", () => {
  test("tells only what is wanted before anything was seen", async () => {
    const { service_id } = await api.create({ replica_count: 2 });
    expect(await nodesOf(`${api.services}/${service_id}`)).toEqual({
      nodes: [],
      pooler: { enabled: false },
      read_replica_sets: [],
      wanted: { nodes: 3, replica_count: 2, sync_replica_count: 0 },
    });
  });

  test("tells who leads and who follows, with the limits in force", async () => {
    const { path, id } = await readyService(api, { replica_count: 2 });
    await see(id, [replica(0, "sync"), primary(1), catchingUp(2)]);
    const size = { cpu_millis: 500, memory_gbs: 2 };
    expect(await nodesOf(path)).toMatchObject({
      as_of: AT.toISOString(),
      gateway: { state: "running", serving: true },
      pooler: { enabled: false, answers: false },
      nodes: [
        { name: "member-0", role: "replica", synchronous: true, streaming: true, lag_bytes: 0, ...size },
        {
          name: "member-1",
          role: "primary",
          synchronous: false,
          streaming: false,
          state: "running",
          ...size,
        },
        { name: "member-2", role: "replica", streaming: false, lag_bytes: 4096 },
      ],
    });
    expect((await nodesOf(path)).nodes[1]).not.toHaveProperty("lag_bytes");
  });

  test("tells what has become of nodes that do not answer, and what is still to be made", async () => {
    const { path, id } = await readyService(api, { replica_count: 5 });
    await see(id, [primary(0), stopped(1), frozen(2), silent(3), { ...silent(4), hasDatabase: false }]);
    const { nodes } = await nodesOf(path);
    expect(nodes.map(({ state, role }) => [state, role])).toEqual([
      ["running", "primary"],
      ["stopped", null],
      ["frozen", null],
      ["silent", null],
      ["starting", null],
      ["absent", null],
    ]);
  });

  test("takes the younger of what a pass and the sampler have seen of a lag", async () => {
    const { path, id } = await readyService(api, { replica_count: 2 });
    const now = new Date();
    await sampled(id, 1, now, { replication_lag_bytes: 1024, replication_lag_seconds: 0.5 });
    await see(id, [primary(0), catchingUp(1), leaderless(2)], new Date(now.getTime() - 5_000));
    expect((await nodesOf(path)).nodes[1]).toMatchObject({ lag_bytes: 1024, lag_seconds: 0.5 });
    expect((await nodesOf(path)).nodes[2]).not.toHaveProperty("lag_bytes");
    await see(id, [primary(0), catchingUp(1)], new Date(now.getTime() + 5_000));
    expect((await nodesOf(path)).nodes[1]).toMatchObject({ lag_bytes: 4096, lag_seconds: 0.5 });
  });

  test("has the read replica sets with their nodes, and answers for a set too", async () => {
    const { path, id } = await readyService(api);
    const body = { name: "reports", nodes: 2, cpu_millis: 500, memory_gbs: 2 };
    const { id: setId } = (await api.ask("POST", `${path}/replicaSets`, body)).json();
    await see(id, [primary(0)]);
    await see(setId, [replica(0), replica(1)]);
    const { read_replica_sets: sets } = await nodesOf(path);
    expect(sets).toMatchObject([
      { id: setId, name: "reports", wanted: { nodes: 2 }, nodes: [{ role: "replica" }, { streaming: true }] },
    ]);
    const set = await nodesOf(`${api.services}/${setId}`);
    expect(set).toMatchObject({ nodes: sets[0]?.nodes, read_replica_sets: [] });
    expect(set.wanted).toEqual({ nodes: 2 });
  });

  test("is for every key of the project, and 404 for what is not there", async () => {
    const { path } = await readyService(api);
    const { apiKey } = await api.newKey("read_only");
    expect((await api.ask("GET", `${path}/nodes`, undefined, apiKey)).statusCode).toBe(200);
    expect((await api.ask("GET", `${api.services}/zzzzzzzzzz/nodes`)).json()).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
