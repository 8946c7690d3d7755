/** The services as rows, or as cards where there is little room. Only what is on the screen exists. */
import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { focusSoon } from "./row-focus.ts";
import type { ServiceTask } from "./service-dialogs.tsx";
import classes from "./service-list.module.css";
import { ServiceRow } from "./service-row.tsx";
import { useCpuLines } from "./use-cpu-lines.ts";

export interface ServiceListProps {
  readonly services: readonly ServiceRecord[];
  readonly onTask: (task: ServiceTask) => void;
  /** Moves the focus to the first service. */
  readonly focus: RefObject<() => void>;
}

/** In step with the style sheet. */
const CARDS = "(max-width: 47.99em)";
const ROW_HEIGHT = 64;
const CARD_HEIGHT = 156;
const OVERSCAN = 8;
const SKELETONS = ["a", "b", "c", "d", "e", "f"];

export function ServiceList({ services, onTask, focus }: ServiceListProps) {
  const cards = useCards();
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, [services.length, cards]);
  const virtualizer = useWindowVirtualizer({
    count: services.length,
    estimateSize: () => (cards ? CARD_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => services[index]?.service_id ?? index,
    // Whoever has the focus stays, however far one scrolls.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const kept = active !== null && active < services.length && !shown.includes(active);
      return kept ? [...shown, active].toSorted((a, b) => a - b) : shown;
    },
  });
  useEffect(() => virtualizer.measure(), [virtualizer, cards]);
  const items = virtualizer.getVirtualItems();
  const lines = useCpuLines(items.flatMap(({ index }) => services[index]?.service_id ?? []));
  const go = useCallback(
    (index: number) => {
      const last = services.length - 1;
      const next = Math.min(Math.max(index, 0), last);
      const id = services[next]?.service_id;
      if (id === undefined) return;
      setActive(next);
      virtualizer.scrollToIndex(next, { align: "auto" });
      focusSoon(id);
    },
    [services, virtualizer],
  );
  useImperativeHandle(focus, () => () => go(0), [go]);
  const down = () => go(active === null ? 0 : active + 1);
  const up = () => go(active === null ? 0 : active - 1);
  useHotkeys([
    ["j", down],
    ["ArrowDown", down],
    ["k", up],
    ["ArrowUp", up],
    ["Home", () => active !== null && go(0)],
    ["End", () => active !== null && go(services.length - 1)],
  ]);
  return (
    <div role="table" aria-label="Services" aria-rowcount={services.length + 1} className={classes["list"]}>
      <Head />
      <div
        ref={body}
        role="rowgroup"
        className={classes["body"]}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start, key }) => {
          const service = services[index];
          if (!service) return null;
          return (
            <ServiceRow
              key={key}
              service={service}
              index={index}
              offset={start - top}
              line={lines[service.service_id]}
              onTask={onTask}
              onActive={setActive}
            />
          );
        })}
      </div>
    </div>
  );
}

function useCards(): boolean {
  return useMediaQuery(CARDS, false, { getInitialValueInEffect: false });
}

function Head() {
  return (
    <div role="rowgroup" className={classes["head"]}>
      <div role="row" aria-rowindex={1} className={classes["columns"]}>
        <div role="columnheader">Name</div>
        <div role="columnheader">Status</div>
        <div role="columnheader">Size</div>
        <div role="columnheader" className={classes["environment"]}>
          Environment
        </div>
        <div role="columnheader" className={classes["cpu"]}>
          CPU, last hour
        </div>
        <div role="columnheader" className={classes["endpoint"]}>
          Endpoint
        </div>
        <div role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </div>
      </div>
    </div>
  );
}

export function ServiceListSkeleton() {
  const height = useCards() ? CARD_HEIGHT : ROW_HEIGHT;
  return (
    <div className={classes["list"]} aria-hidden>
      {SKELETONS.map((key) => (
        <div key={key} className={classes["waiting"]} style={{ height }}>
          <Skeleton h={14} w="32%" mb={8} />
          <Skeleton h={10} w="18%" />
        </div>
      ))}
    </div>
  );
}
