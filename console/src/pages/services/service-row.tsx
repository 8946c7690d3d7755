/** One service in the list; drawn again only where something of it has changed. */
import { Badge, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { Copy } from "../../ui/copy.tsx";
import { serviceType, size } from "../../ui/format.ts";
import { Sparkline } from "../../ui/sparkline.tsx";
import { StatusWithReason } from "../../ui/status-with-reason.tsx";
import type { Line } from "./cpu-lines.ts";
import { cpuInWords, lastOf } from "./cpu-words.ts";
import { RowMenu } from "./row-menu.tsx";
import type { ServiceTask } from "./service-dialogs.tsx";
import { replicasOf, sizeOf } from "./service-filters.ts";
import classes from "./service-list.module.css";

export interface ServiceRowProps {
  readonly service: ServiceRecord;
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly offset: number;
  readonly line: Line | undefined;
  readonly onTask: (task: ServiceTask) => void;
  readonly onActive: (index: number) => void;
}

export const ServiceRow = memo(function ServiceRow(props: ServiceRowProps) {
  const { service, index, offset, line, onTask, onActive } = props;
  const { service_id: id, name, endpoint, metadata } = service;
  const place = endpoint?.host === undefined ? null : `${endpoint.host}:${endpoint.port}`;
  return (
    // Rows are reached by the links in them; this only notes which one that was.
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${classes["row"]} ${classes["columns"]}`}
      style={{ transform: `translateY(${offset}px)` }}
      onFocus={() => onActive(index)}
    >
      <div role="cell" className={classes["name"]}>
        <Link
          id={`service-${id}`}
          to="/services/$serviceId"
          params={{ serviceId: id }}
          className={classes["link"]}
          title={name}
          preload={false}
        >
          {name}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {serviceType(service.service_type)} · {service.region_code}
          <span className={classes["also"]}> · {metadata?.environment}</span>
        </Text>
      </div>
      <div role="cell" className={classes["status"]}>
        <StatusWithReason serviceId={id} status={service.status} />
      </div>
      <div role="cell" className={classes["size"]}>
        <Text size="sm" truncate>
          {size(sizeOf(service))}
        </Text>
        <Text size="xs" c="dimmed" truncate title={replicasOf(service)}>
          {replicasOf(service)}
        </Text>
      </div>
      <div role="cell" className={classes["environment"]}>
        <EnvironmentTag environment={metadata?.environment} />
      </div>
      <div role="cell" className={classes["cpu"]}>
        <Cpu line={line} service={service} />
      </div>
      <div role="cell" className={classes["endpoint"]}>
        {place !== null && (
          <>
            <Text span size="xs" ff="monospace" c="dimmed" truncate title={place}>
              {place}
            </Text>
            <span className={classes["above"]}>
              <Copy text={place} what={`the endpoint of ${name}`} />
            </span>
          </>
        )}
      </div>
      <div role="cell" className={classes["menu"]}>
        <RowMenu service={service} onTask={onTask} />
      </div>
    </div>
  );
});

/** Where care is needed stands out. */
function EnvironmentTag({ environment = "DEV" }: { environment: string | undefined }) {
  if (environment === "PROD") {
    return (
      <Badge size="sm" variant="light">
        PROD
      </Badge>
    );
  }
  return (
    <Text span size="xs" c="dimmed">
      {environment}
    </Text>
  );
}

function Cpu({ line, service }: { line: Line | undefined; service: ServiceRecord }) {
  if (!line || lastOf(line) === null) {
    return (
      <Text size="xs" c="dimmed" className={classes["unmeasured"]}>
        {line || service.status === "PAUSED" ? "Not measured" : ""}
      </Text>
    );
  }
  const limit = sizeOf(service).cpu_millis;
  const { now, label, ceiling } = cpuInWords(line, limit);
  return (
    <>
      <div className={classes["spark"]}>
        <Sparkline values={line} ceiling={ceiling} label={label} />
      </div>
      <Text span size="xs" c="dimmed" className={classes["now"]}>
        {now}
      </Text>
    </>
  );
}
