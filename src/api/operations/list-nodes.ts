import { type Node, ServiceNodes } from "../../contract/nodes.ts";
import { newestSamplesOf } from "../../store/metric-series.ts";
import { getPlannedFamily } from "../../store/plans.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentNodes } from "../present-nodes.ts";

const SIZE = { cpu_millis: 500, memory_gbs: 2 };
const REPLICA: Node = {
  name: "member-1",
  ordinal: 1,
  state: "running",
  role: "replica",
  synchronous: true,
  streaming: true,
  lag_bytes: 0,
  lag_seconds: 0,
  ...SIZE,
};

const STANDING = {
  as_of: "2026-11-21T09:30:04.000Z",
  gateway: { state: "running", serving: true },
  pooler: { enabled: false, answers: false },
} as const;

const EXAMPLE: ServiceNodes = {
  ...STANDING,
  nodes: [
    {
      name: "member-0",
      ordinal: 0,
      state: "running",
      role: "primary",
      synchronous: false,
      streaming: false,
      ...SIZE,
    },
    REPLICA,
  ],
  read_replica_sets: [
    {
      id: "r6t1y8u3io",
      name: "reports",
      ...STANDING,
      nodes: [{ ...REPLICA, name: "member-0", ordinal: 0, synchronous: false }],
      wanted: { nodes: 1 },
    },
  ],
  wanted: { nodes: 2, replica_count: 1, sync_replica_count: 1 },
};

export function listNodes(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/nodes",
    {
      config: { access: "read" },
      schema: {
        operationId: "listNodes",
        tags: ["Services"],
        summary: "Tell the nodes of a service, and of the sets that read from it",
        description:
          "Who leads, who follows and how far behind, as it was observed last. Answers for a read replica set's id too.",
        params: ServiceParams,
        response: answers(
          { status: 200, description: "The nodes.", schema: ServiceNodes, example: EXAMPLE },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<ServiceNodes> => {
      const family = await getPlannedFamily(store.db, params.project_id, serviceIdIn(params));
      if (!family) throw noSuchService();
      const { service, sets } = family;
      const ids = [service, ...sets].map(({ serviceId }) => serviceId);
      return presentNodes(service, sets, await newestSamplesOf(store, ids));
    },
  );
}
