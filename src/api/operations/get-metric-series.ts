import { Type } from "typebox";
import { MetricSeries, MetricSeriesBody } from "../../contract/metrics.ts";
import { readSeries } from "../../store/metric-series.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_BODY, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { askedSeries, seriesOf } from "../metric-buckets.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

const EXAMPLE: readonly MetricSeries[] = [
  {
    labels: { node: "member-0", role: "primary" },
    data: [
      { time: "2026-11-21T09:00:00.000Z", value: 212.5 },
      { time: "2026-11-21T09:01:00.000Z", value: null },
    ],
  },
];

export function getMetricSeries(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/metrics/series",
    {
      config: { access: "read" },
      schema: {
        operationId: "getMetricSeries",
        tags: ["Services"],
        summary: "Tell how one metric of a service went",
        description:
          "One point a bucket, for each node in each of its roles; what is not known is null. Samples are taken each " +
          "10 seconds and kept for a day, their roll-ups over 5 minutes for a month, over an hour for a year: of older " +
          "times, points that are closer together have the same value.",
        params: ServiceParams,
        body: MetricSeriesBody,
        response: answers(
          { status: 200, description: "The series.", schema: Type.Array(MetricSeries), example: EXAMPLE },
          [...ON_A_BODY, ...ON_A_PROJECT],
        ),
      },
    },
    async ({ params, body }): Promise<MetricSeries[]> => {
      const { buckets, asked } = askedSeries(body);
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      const measured = await readSeries(store, { ...asked, serviceIds: [service.id] }, new Date());
      return seriesOf(measured, buckets);
    },
  );
}
