/** The rows of a result. Only those in sight are drawn, so that ten thousand scroll as ten do. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { QueryRecord } from "../../../../src/client/index.ts";
import { copyText } from "../../ui/use-copy.ts";
import { type Cell, columnWidth, isNumeric, moved } from "./cells.ts";
import classes from "./result-table.module.css";
import { ValueDialog } from "./value-dialog.tsx";

type Result = QueryRecord["results"][number];

const ROW_PX = 30;
const NUMBER_PX = 56;
const OVERSCAN = 12;

export function ResultTable({ result, label }: { result: Result; label: string }) {
  const { columns, rows } = result;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const [opened, setOpened] = useState<Cell | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // The head covers the first row's worth of what is scrolled.
    scrollPaddingStart: ROW_PX + 18,
  });
  const widths = columns.map((column, index) => columnWidth(column, rows, index));
  const gridTemplateColumns = `${NUMBER_PX}px ${widths.map((width) => `${width}px`).join(" ")} 1fr`;
  const cellId = ({ row, column }: Cell) => `${id}-${row}-${column}`;
  const valueAt = ({ row, column }: Cell) => rows[row]?.[column] ?? null;

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "c" && !window.getSelection()?.toString()) {
      event.preventDefault();
      void copyText(valueAt(active) ?? "");
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      setOpened(active);
      return;
    }
    const next = moved(active, event, { rows: rows.length, columns: columns.length });
    if (!next) return;
    event.preventDefault();
    setActive(next);
    virtual.scrollToIndex(next.row);
    // The cell's row may have to be drawn first.
    requestAnimationFrame(() =>
      document.getElementById(cellId(next))?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
  };

  return (
    <>
      <div
        ref={scroller}
        className={classes["scroller"]}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={rows.length > 0 ? cellId(active) : undefined}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]} style={{ gridTemplateColumns }}>
            <div role="columnheader" className={classes["number"]} title="Row">
              #
            </div>
            {columns.map(({ name, type }, index) => (
              <div
                key={index}
                role="columnheader"
                className={classes["column"]}
                data-numeric={isNumeric(type) || undefined}
                title={`${name}, ${type}`}
              >
                <span>{name}</span>
                <small>{type}</small>
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes["body"]} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index: row, start }) => (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              className={classes["row"]}
              data-odd={row % 2 === 1 || undefined}
              style={{ gridTemplateColumns, transform: `translateY(${start}px)`, height: ROW_PX }}
            >
              <div role="rowheader" className={classes["number"]}>
                {row + 1}
              </div>
              {rows[row]?.map((value, column) => (
                <div
                  key={column}
                  id={cellId({ row, column })}
                  role="gridcell"
                  className={classes["cell"]}
                  data-numeric={isNumeric(columns[column]?.type ?? "") || undefined}
                  data-null={value === null || undefined}
                  data-active={(active.row === row && active.column === column) || undefined}
                  onMouseDown={() => setActive({ row, column })}
                  onDoubleClick={() => setOpened({ row, column })}
                >
                  {value ?? "NULL"}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {opened && (
        <ValueDialog
          column={columns[opened.column]}
          value={valueAt(opened)}
          onClose={() => {
            setOpened(null);
            scroller.current?.focus();
          }}
        />
      )}
    </>
  );
}
