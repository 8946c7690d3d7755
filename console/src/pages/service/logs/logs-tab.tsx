/** PostgreSQL's own log of all members of a service. */
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { useRef, useState } from "react";
import { useQueries } from "../../../data/queries.ts";
import { Empty } from "../../../ui/empty.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { endsBeforeNow, type LogFilter, NO_FILTER } from "./log-filter.ts";
import { searchWords, textOf } from "./log-lines.ts";
import { LogToolbar } from "./log-toolbar.tsx";
import { LogView } from "./log-view.tsx";
import classes from "./logs.module.css";
import { useLog } from "./use-log.ts";

export function LogsTab() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId/logs" });
  return <Logs key={serviceId} serviceId={serviceId} />;
}

function Logs({ serviceId }: { serviceId: string }) {
  const { data: service } = useQuery(useQueries().service(serviceId));
  // Other pages lead to the log of one node.
  const { node = "" } = useSearch({ from: "/signed-in/services/$serviceId/logs" });
  const [filter, setFilter] = useState<LogFilter>({ ...NO_FILTER, node });
  const [live, setLive] = useState(true);
  const [cleared, setCleared] = useState(0);
  const atEnd = useRef(true);
  const stopped = service?.status === "PAUSED";
  const notLive = stopped
    ? "The service is stopped, and writes nothing."
    : endsBeforeNow(filter)
      ? "The time that is chosen ends before now."
      : null;
  const { state, loadOlder, reload } = useLog({
    serviceId,
    filter,
    live: live && service !== undefined && notLive === null,
    mayTrim: () => atEnd.current,
  });
  const { lines } = state.gathered;
  const nodes = useNodes(lines, filter.node);
  return (
    <Panel flush>
      <LogToolbar
        key={cleared}
        filter={filter}
        nodes={nodes}
        live={live}
        notLive={notLive}
        text={() => lines.map(textOf).join("\n")}
        onFilter={(next) => {
          atEnd.current = true;
          setFilter(next);
        }}
        onLive={setLive}
      />
      {state.error && (
        <div className={classes["error"]}>
          <ErrorNotice error={state.error} title="The log cannot be read now" onRetry={reload} />
        </div>
      )}
      {lines.length > 0 ? (
        <LogView
          lines={lines}
          words={searchWords(filter.search)}
          showNode={nodes.length > 1 && filter.node === ""}
          hasOlder={state.cursor !== null}
          loadingOlder={state.loadingOlder}
          onOlder={() => void loadOlder()}
          atEnd={atEnd}
        />
      ) : (
        <div className={classes["nothing"]}>
          {state.loaded ? (
            <NoLines
              filtered={filter !== NO_FILTER}
              onClear={() => {
                setFilter(NO_FILTER);
                setCleared(cleared + 1);
              }}
            />
          ) : (
            !state.error && <LinesPending />
          )}
        </div>
      )}
    </Panel>
  );
}

/** Members that have told a line, whatever was filtered since. */
function useNodes(
  lines: readonly { readonly node?: string | undefined }[],
  chosen: string,
): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const { node } of lines) if (node !== undefined) seen.current.add(node);
  if (chosen !== "") seen.current.add(chosen);
  return [...seen.current].toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

function NoLines({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const icon = <ScrollText size={28} strokeWidth={1.5} />;
  if (!filtered)
    return (
      <Empty icon={icon} title="Nothing is written yet">
        PostgreSQL writes here when it starts, when a statement fails, and when it checkpoints.
      </Empty>
    );
  return (
    <Empty
      icon={icon}
      title="No line is like that"
      action={
        <Button variant="default" size="xs" onClick={onClear}>
          Show all lines
        </Button>
      }
    >
      Lines that are like it appear here as they are written.
    </Empty>
  );
}

const PENDING_LINES = Array.from({ length: 14 }, (_, index) => 34 + ((index * 37) % 55));

function LinesPending() {
  return (
    <div className={classes["pending"]} role="status" aria-label="Loading">
      {PENDING_LINES.map((width, index) => (
        // They never change their places.
        <Skeleton key={index} h={12} w={`${width}%`} />
      ))}
    </div>
  );
}
