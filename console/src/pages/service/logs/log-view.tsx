/** The lines, newest at the bottom. Only those in sight are drawn. */
import { Button, Loader } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { copyText } from "../../../ui/use-copy.ts";
import { keyOf, type LogLine, textOf } from "./log-lines.ts";
import { LogRow } from "./log-row.tsx";
import classes from "./logs.module.css";

/** As the style sheet has it: on a narrow screen the message stands below the rest. */
const LINE_PX = { wide: 28, narrow: 48 } as const;
const NARROW = "(max-width: 48em)";
const OVERSCAN = 15;
/** So near to the end counts as the end. */
const AT_END_PX = 48;
/** Older lines are asked for before the first one is reached. */
const NEAR_BEGIN_PX = 400;
const PAGE = 15;

export interface LogViewProps {
  readonly lines: readonly LogLine[];
  readonly words: readonly string[];
  readonly showNode: boolean;
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  readonly onOlder: () => void;
  /** Whether the newest line is in sight; read by whoever adds lines. */
  readonly atEnd: RefObject<boolean>;
}

export function LogView(props: LogViewProps) {
  const { lines, words, showNode, hasOlder, loadingOlder, onOlder, atEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<LogLine>>(new Set());
  const [active, setActive] = useState<LogLine | null>(null);
  const [unseen, setUnseen] = useState(0);
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const linePx = narrow ? LINE_PX.narrow : LINE_PX.wide;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => linePx,
    overscan: OVERSCAN,
    // It begins at the end; further than that nothing scrolls.
    initialOffset: () => lines.length * linePx,
    getItemKey: (index) => (lines[index] ? keyOf(lines[index]) : index),
  });
  const height = virtual.getTotalSize();
  useStableScroll(lines, { height, linePx }, scroller, atEnd, (count) =>
    setUnseen((before) => before + count),
  );

  const toEnd = () => {
    atEnd.current = true;
    setUnseen(0);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
    if (atEnd.current && unseen > 0) setUnseen(0);
    if (element.scrollTop < NEAR_BEGIN_PX && hasOlder && !loadingOlder) onOlder();
  };
  const toggle = (line: LogLine) => {
    const next = new Set(open);
    if (!next.delete(line)) next.add(line);
    setOpen(next);
    setActive(line);
  };
  const activeIndex = active === null ? -1 : lines.indexOf(active);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = activeIndex < 0 ? lines.length : activeIndex;
    const line = lines[at];
    if (line && (event.key === "Enter" || event.key === " ")) toggle(line);
    else if (line && (event.ctrlKey || event.metaKey) && event.key === "c") {
      if (window.getSelection()?.toString()) return;
      void copyText(textOf(line));
    } else {
      const target = targetOf(event.key, at, lines.length);
      if (target === null) return;
      setActive(lines[target] ?? null);
      virtual.scrollToIndex(target);
    }
    event.preventDefault();
  };

  return (
    <div className={classes["frame"]}>
      <div
        ref={scroller}
        className={classes["scroller"]}
        role="tree"
        tabIndex={0}
        aria-label="Lines of the log, newest last"
        aria-activedescendant={activeIndex < 0 ? undefined : `${id}-${activeIndex}`}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div className={classes["lines"]} style={{ height }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <div
                key={String(key)}
                id={`${id}-${index}`}
                ref={virtual.measureElement}
                data-index={index}
                role="treeitem"
                aria-level={1}
                aria-posinset={index + 1}
                aria-setsize={lines.length}
                aria-expanded={open.has(line)}
                aria-selected={active === line}
                className={classes["row"]}
                data-active={active === line || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={(event) => {
                  // Somebody who selects text wants that, and not another look of the line.
                  if (window.getSelection()?.toString() || isButton(event.target)) return;
                  toggle(line);
                }}
              >
                <LogRow line={line} words={words} open={open.has(line)} showNode={showNode} />
              </div>
            );
          })}
        </div>
      </div>
      <div className={classes["older"]} role="status">
        {loadingOlder && <Loader size="xs" aria-label="Older lines are being read" />}
      </div>
      <div className={classes["unseen"]} role="status">
        {unseen > 0 && (
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowDown size={14} aria-hidden />}
            onClick={toEnd}
          >
            {unseen.toLocaleString("en")} new {unseen === 1 ? "line" : "lines"}
          </Button>
        )}
      </div>
    </div>
  );
}

function targetOf(key: string, at: number, count: number): number | null {
  const to: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - PAGE,
    PageDown: at + PAGE,
    Home: 0,
    End: count - 1,
  };
  const target = to[key];
  return target === undefined || count === 0 ? null : Math.max(0, Math.min(target, count - 1));
}

function isButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** Lines that come at the end are followed by whoever is there; lines that come before stay out of everybody's way. */
function useStableScroll(
  lines: readonly LogLine[],
  /** The height of all lines changes when one turns out to be higher than was thought. */
  { height, linePx }: { readonly height: number; readonly linePx: number },
  scroller: RefObject<HTMLDivElement | null>,
  atEnd: RefObject<boolean>,
  onUnseen: (count: number) => void,
): void {
  const before = useRef<{ readonly lines: readonly LogLine[]; readonly height: number }>(NOTHING_BEFORE);
  useLayoutEffect(() => {
    const known = before.current;
    const element = scroller.current;
    before.current = { lines, height };
    if (!element || (known.lines === lines && known.height === height)) return;
    if (atEnd.current) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    const [oldest] = known.lines;
    const newest = known.lines.at(-1);
    if (known.lines === lines || !oldest || !newest) return;
    const prepended = lines.indexOf(oldest);
    if (prepended > 0) element.scrollTop += prepended * linePx;
    const appended = lines.length - 1 - lines.indexOf(newest);
    if (appended > 0) onUnseen(appended);
  });
}

const NOTHING_BEFORE = { lines: [], height: 0 };
