import { Type } from "typebox";
import { newestSamples } from "../../store/metric-series.ts";
import { listServices } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { renderProjectMetrics } from "../project-metrics.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const EXAMPLE = `# HELP howdah_node_cpu_cores CPU in use.
# TYPE howdah_node_cpu_cores gauge
howdah_node_cpu_cores{project_id="p7d2m4n8zz",service_id="k3v9x0q2ab",service_name="orders",region="local",node="member-0",role="primary"} 0.21
`;

export function getProjectMetrics(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/metrics",
    {
      config: { access: "read" },
      schema: {
        operationId: "getProjectMetrics",
        tags: ["Projects"],
        summary: "Tell all services of a project to Prometheus",
        description:
          "Status, conditions and sizes of services, and what each of their nodes used within the last minute. To be " +
          "scraped with the API key, as a Bearer token or by its two halves as user and password.",
        params: ProjectParams,
        response: answers(
          {
            status: 200,
            description: "Prometheus' text format.",
            schema: Type.String(),
            example: EXAMPLE,
            contentType: "text/plain",
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }, reply) => {
      const [services, samples] = await Promise.all([
        listServices(store.db, params.project_id),
        newestSamples(store, params.project_id),
      ]);
      return reply.type(CONTENT_TYPE).send(renderProjectMetrics(services, samples));
    },
  );
}
