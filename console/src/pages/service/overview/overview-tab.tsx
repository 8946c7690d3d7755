/** A service at one look: what it consists of, how it is, and what happens to it. */
import { Grid, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useQueries } from "../../../data/queries.ts";
import { Conditions } from "./conditions.tsx";
import { Endpoints } from "./endpoints.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { LatestEvents } from "./latest-events.tsx";
import { Progress } from "./progress.tsx";
import { Topology } from "./topology/topology.tsx";

export function OverviewTab() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId/" });
  const { data: service } = useQuery(useQueries().service(serviceId));
  if (!service)
    return (
      <Stack gap="lg" aria-busy aria-label="Loading">
        <Skeleton h={260} radius="lg" />
        <Skeleton h={150} radius="lg" />
      </Stack>
    );
  return (
    <Stack gap="lg">
      {/* First, so that it stays where it is while what is left to do comes and goes. */}
      <Topology service={service} />
      <Progress service={service} />
      <KeyFigures service={service} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <LatestEvents serviceId={serviceId} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Conditions service={service} />
            <Endpoints service={service} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
