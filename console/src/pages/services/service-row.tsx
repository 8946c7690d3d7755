/** One service in the list; drawn again only where something of it has changed. */
import { Badge } from "@mantine/core";
import { Check, CopyIcon } from "lucide-react";
import { memo } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { serviceType, size } from "../../ui/format.ts";
import { Sparkline } from "../../ui/sparkline.tsx";
import { StatusWithReason } from "../../ui/status-with-reason.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import type { Line } from "./cpu-lines.ts";
import { cpuInWords, inWords, lastOf } from "./cpu-words.ts";
import { linkId } from "./row-focus.ts";
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
  const replicas = replicasOf(service);
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
        {/* A link of the router would follow its whole state, in every row. */}
        <a id={linkId(id)} href={`#/services/${id}`} className={classes["link"]} title={name}>
          {name}
        </a>
        <span className={classes["second"]}>
          {serviceType(service.service_type)} · {service.region_code}
          <span className={classes["also"]}> · {metadata?.environment}</span>
        </span>
      </div>
      <div role="cell" className={classes["status"]}>
        <StatusWithReason serviceId={id} status={service.status} />
      </div>
      <div role="cell" className={classes["size"]}>
        <span className={classes["first"]}>{size(sizeOf(service))}</span>
        <span className={classes["second"]} title={replicas}>
          {replicas}
        </span>
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
            <span className={classes["place"]} title={place}>
              {place}
            </span>
            <CopyPlace place={place} name={name} />
          </>
        )}
      </div>
      <div role="cell" className={classes["menu"]}>
        <RowMenu service={service} onTask={onTask} />
      </div>
    </div>
  );
});

function CopyPlace({ place, name }: { place: string; name: string }) {
  const { state, copy } = useCopy();
  const Icon = state === "copied" ? Check : CopyIcon;
  const label = state === "copied" ? "Copied" : `Copy the endpoint of ${name}`;
  return (
    <button
      type="button"
      className={classes["icon"]}
      aria-label={label}
      title={label}
      onClick={() => void copy(place)}
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}

/** Where care is needed stands out. */
function EnvironmentTag({ environment = "DEV" }: { environment: string | undefined }) {
  if (environment === "PROD") {
    return (
      <Badge size="sm" variant="light">
        PROD
      </Badge>
    );
  }
  return <span className={classes["second"]}>{environment}</span>;
}

function Cpu({ line, service }: { line: Line | undefined; service: ServiceRecord }) {
  const limit = sizeOf(service).cpu_millis;
  if (!line || lastOf(line) === null) {
    // What has just begun has a figure before it has a line.
    const millis = service.metrics?.milli_cpu;
    const known = line !== undefined || service.status === "PAUSED";
    const words = millis === undefined ? "Not measured" : inWords(millis, limit);
    return <span className={classes["second"]}>{known ? words : ""}</span>;
  }
  const { now, label, ceiling } = cpuInWords(line, limit);
  return (
    <>
      <div className={classes["spark"]}>
        <Sparkline values={line} ceiling={ceiling} label={label} />
      </div>
      <span className={classes["now"]}>{now}</span>
    </>
  );
}
