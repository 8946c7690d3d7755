import { Type } from "typebox";
import { METRICS } from "../../contract/metrics.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

const NAMES = METRICS.map(({ name }) => name);

export function listMetricSeries(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/metrics/available-series",
    {
      config: { access: "read" },
      schema: {
        operationId: "listMetricSeries",
        tags: ["Services"],
        summary: "List what is measured of a service",
        description: METRICS.map(({ name, help }) => `- \`${name}\`: ${help}`).join("\n"),
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "The names of series.",
            schema: Type.Array(Type.String()),
            example: NAMES,
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<string[]> => {
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      return [...NAMES];
    },
  );
}
