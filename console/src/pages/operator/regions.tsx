/** Regions: what each has, what of it is promised and used, and whether its engine answers. */
import { Alert, Text, Title } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import { Mark } from "../../ui/mark.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { CapacityBar, DiskBar } from "./capacity-bar.tsx";
import classes from "./operator-page.module.css";

type Region = OverviewRecord["regions"][number];

export function Regions({ regions }: { regions: readonly Region[] }) {
  return (
    <div className={classes["regions"]} data-many={regions.length > 1 || undefined}>
      {regions.map((region) => (
        <RegionPanel key={region.code} region={region} />
      ))}
    </div>
  );
}

function RegionPanel({ region }: { region: Region }) {
  const { code, engine, cpu_millis, memory_mb, storage_mb, services, members, spare_ports } = region;
  return (
    <Panel>
      <div className={classes["regionHead"]}>
        <div>
          <Title order={2}>Region {code}</Title>
          <Text size="sm" c="dimmed">
            {services} {services === 1 ? "service" : "services"}, {members}{" "}
            {members === 1 ? "member" : "members"}, {spare_ports} endpoint ports in stock
          </Text>
        </div>
        <div className={classes["engine"]}>
          <Mark mood={engine.answers ? "good" : "bad"}>
            {engine.answers ? "Engine answers" : "Engine silent"}
          </Mark>
          <Text size="xs" c="dimmed">
            last answer <Moment at={engine.reported_at} />
          </Text>
        </div>
      </div>
      {!engine.answers && (
        <Alert
          color="red"
          variant="light"
          mt="md"
          icon={<CircleAlert aria-hidden />}
          title="The engine does not answer"
        >
          {engine.message}
          {engine.since !== undefined && (
            <Text size="sm" mt={4}>
              Since <Moment at={engine.since} />. Databases go on serving where it is only the control plane
              that does not reach it; nothing is changed until it answers.
            </Text>
          )}
        </Alert>
      )}
      <div className={classes["bars"]}>
        <CapacityBar what="CPU" amounts={cpu_millis} unit="cpu" />
        <CapacityBar what="Memory" amounts={memory_mb} unit="mb" />
        {storage_mb && <DiskBar {...storage_mb} />}
      </div>
    </Panel>
  );
}
