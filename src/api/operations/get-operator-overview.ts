import { OperatorOverview } from "../../contract/operator.ts";
import {
  FAILURE_HOURS,
  failingWebhooks,
  jobs,
  recentFailures,
  regionNews,
  stateDatabaseNews,
} from "../../store/operator.ts";
import { answers, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { presentFailingWebhook, presentFailure, presentJob, presentRegion } from "../present-operator.ts";

const HOUR_MS = 3_600_000;
const PROJECT = { id: SERVICE_EXAMPLE.project_id, name: "default" };

const EXAMPLE: OperatorOverview = {
  at: "2026-11-21T09:31:00.000Z",
  control_plane: {
    version: "0.1.0",
    started_at: "2026-11-21T09:00:00.000Z",
    state_database: { version: "17.6", size_mb: 14, latency_ms: 0.4 },
    settings: [{ name: "HOWDAH_CONCURRENCY", value: "8", meaning: "services worked on at a time" }],
  },
  regions: [
    {
      code: "local",
      cpu_millis: { capacity: 8000, promised: 3000, promisable: 64_000, left: 61_000, in_use: 420 },
      memory_mb: { capacity: 32_768, promised: 12_288, promisable: 65_536, left: 53_248, in_use: 2_100 },
      storage_mb: { total: 512_000, available: 420_000, in_use: 3_200 },
      services: 2,
      members: 4,
      spare_ports: 128,
      engine: { answers: true, reported_at: "2026-11-21T09:30:55.000Z" },
    },
  ],
  jobs: {
    total: 1,
    by_state: { waiting: 1 },
    first: [
      {
        service_id: SERVICE_EXAMPLE.service_id,
        name: "orders",
        project: PROJECT,
        region_code: "local",
        status: "UPGRADING",
        state: "waiting",
        message: "Waiting for replicas to stream: member 1 copies the data.",
        since: "2026-11-21T09:30:40.000Z",
        waiting_for: {
          reason: "replication",
          message: "Waiting for replicas to stream: member 1 copies the data.",
          since: "2026-11-21T09:30:44.000Z",
          overdue: false,
        },
        failures: 0,
        next_look: "2026-11-21T09:31:00.400Z",
      },
    ],
  },
  failures: {
    since: "2026-11-20T09:31:00.000Z",
    newest: [
      {
        id: "4711",
        at: "2026-11-21T08:12:09.000Z",
        project: PROJECT,
        service: { id: SERVICE_EXAMPLE.service_id, name: "orders" },
        type: "service.role",
        message: "The primary has changed from member 0 to member 1: member 0 has stopped.",
      },
    ],
  },
  webhooks: [
    {
      id: "w4k1p9s0zq",
      project: PROJECT,
      host: "hooks.example.com",
      enabled: true,
      failures: 7,
      rests_until: "2026-11-21T09:33:00.000Z",
      waiting: 31,
    },
  ],
};

export function getOperatorOverview(api: Api, { store, overcommit, installation }: ApiContext): void {
  api.get(
    "/operator/overview",
    {
      config: { access: "operator" },
      schema: {
        operationId: "getOperatorOverview",
        tags: ["Operator"],
        summary: "Tell how the whole installation is",
        description:
          "Regions and what is left of them, what is still to be done for which service, what has failed within a day, and " +
          "the control plane itself, over all projects. For keys with the role operator.",
        response: answers(
          { status: 200, description: "As it is now.", schema: OperatorOverview, example: EXAMPLE },
          ON_WRITING,
        ),
      },
    },
    async (): Promise<OperatorOverview> => {
      const now = new Date();
      const [database, regions, { byState, first }, failures, webhooks] = await Promise.all([
        stateDatabaseNews(store),
        regionNews(store),
        jobs(store),
        recentFailures(store),
        failingWebhooks(store),
      ]);
      return {
        at: now.toISOString(),
        control_plane: {
          version: installation.version,
          started_at: installation.startedAt.toISOString(),
          state_database: {
            version: database.version,
            size_mb: Math.round(database.bytes / 1024 ** 2),
            latency_ms: Math.round(database.latencyMs * 10) / 10,
          },
          settings: [...installation.settings],
        },
        regions: regions.map((region) => presentRegion(region, overcommit)),
        jobs: {
          total: byState.reduce((sum, { count }) => sum + count, 0),
          by_state: Object.fromEntries(byState.map(({ state, count }) => [state, count])),
          first: first.map(presentJob),
        },
        failures: {
          since: new Date(now.getTime() - FAILURE_HOURS * HOUR_MS).toISOString(),
          newest: failures.map(presentFailure),
        },
        webhooks: webhooks.map(presentFailingWebhook),
      };
    },
  );
}
