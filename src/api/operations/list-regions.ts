import { type Region, Regions } from "../../contract/regions.ts";
import { regionsByRoom } from "../../store/regions.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { presentRegion } from "../present-regions.ts";

const SETTINGS = {
  max_connections: "100",
  shared_buffers: "512MB",
  effective_cache_size: "1536MB",
  work_mem: "4MB",
  maintenance_work_mem: "256MB",
  max_parallel_workers: "2",
};

const EXAMPLE: Region[] = [
  {
    code: "local",
    available: true,
    capacity: { cpu_millis: 8000, memory_gbs: 31.2 },
    free: { cpu_millis: 62_000, memory_gbs: 54.4 },
    sizes: [{ cpu_millis: 500, memory_gbs: 2, members_left: 27, settings: SETTINGS }],
    shared: {
      memory_gbs: 1,
      members_left: 54,
      settings: {
        ...SETTINGS,
        shared_buffers: "256MB",
        effective_cache_size: "768MB",
        maintenance_work_mem: "128MB",
      },
    },
    default_size: { cpu_millis: 500, memory_gbs: 2 },
    most_replicas: 8,
  },
];

export function listRegions(api: Api, { store, sizes, overcommit }: ApiContext): void {
  api.get(
    "/projects/:project_id/regions",
    {
      config: { access: "read" },
      schema: {
        operationId: "listRegions",
        tags: ["Projects"],
        summary: "List the regions, with what can be created there now",
        description:
          "A create without a region goes to the first that has room. What is left is true of this moment: whoever " +
          "creates decides, and NO_CAPACITY tells what would fit.",
        params: ProjectParams,
        response: answers(
          {
            status: 200,
            description: "The one with the most room first.",
            schema: Regions,
            example: EXAMPLE,
          },
          ON_A_PROJECT,
        ),
      },
    },
    async (): Promise<Region[]> =>
      (await regionsByRoom(store.db)).map((room) => presentRegion(room, sizes, overcommit)),
  );
}
