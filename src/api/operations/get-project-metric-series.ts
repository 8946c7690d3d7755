import { Type } from "typebox";
import { MetricSeries, ProjectMetricSeriesBody } from "../../contract/metrics.ts";
import { readSeries } from "../../store/metric-series.ts";
import { servicesAmong } from "../../store/services.ts";
import { answers, ON_A_BODY, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { askedSeries, seriesOfEach } from "../metric-buckets.ts";
import { isId } from "../missing.ts";
import { ProjectParams } from "../parameters.ts";

/** For pictures as wide as a word: many services are asked for at once. */
const POINTS = { most: 120, usual: 60 };

const EXAMPLE: readonly MetricSeries[] = [
  {
    labels: { service_id: "k3v9x0q2ab", node: "member-0", role: "primary" },
    data: [
      { time: "2026-11-21T09:00:00.000Z", value: 212.5 },
      { time: "2026-11-21T09:01:00.000Z", value: null },
    ],
  },
];

export function getProjectMetricSeries(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/metrics/series",
    {
      config: { access: "read" },
      schema: {
        operationId: "getProjectMetricSeries",
        tags: ["Projects"],
        summary: "Tell how one metric of many services went",
        description:
          "As for one service, of primaries alone where no role is asked for, with 120 points at most. A service that " +
          "does not exist, or was not measured, has no series.",
        params: ProjectParams,
        body: ProjectMetricSeriesBody,
        response: answers(
          { status: 200, description: "The series.", schema: Type.Array(MetricSeries), example: EXAMPLE },
          [...ON_A_BODY, ...ON_A_PROJECT],
        ),
      },
    },
    async ({ params, body }): Promise<MetricSeries[]> => {
      const { buckets, asked } = askedSeries(body, POINTS);
      const among = [...new Set(body.service_ids.filter(isId))];
      const serviceIds = await servicesAmong(store.db, params.project_id, among);
      const measured = await readSeries(store, { role: "primary", ...asked, serviceIds }, new Date());
      return seriesOfEach(measured, buckets);
    },
  );
}
