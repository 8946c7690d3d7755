/** How much of something a region has, has promised, and uses. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import classes from "./operator-page.module.css";

type Amounts = OverviewRecord["regions"][number]["cpu_millis"];
type Unit = "cpu" | "mb";

/** From here on there is little left; nothing is refused yet. */
const TIGHT = 0.85;

export interface CapacityBarProps {
  readonly what: string;
  readonly amounts: Amounts;
  readonly unit: Unit;
}

/** The whole bar is what may be promised; the line in it, what the machine has. */
export function CapacityBar({ what, amounts, unit }: CapacityBarProps) {
  const { capacity, promised, promisable, left, in_use } = amounts;
  const part = share(promised, promisable);
  const words = `${show(promised, unit)} of ${show(promisable, unit)} promised`;
  const most = promisable > capacity ? share(capacity, promisable) : 1;
  return (
    <Bar what={what} words={words} left={show(left, unit)} label={`${what} promised`} part={part} mark={most}>
      {in_use === undefined
        ? `Use is not known: no node was sampled lately.`
        : `${show(in_use, unit)} in use now, ${inWords(share(in_use, capacity))} of the ${show(capacity, unit)} that the machine has.`}{" "}
      {promisable > capacity && `Promised up to ${round(promisable / capacity)} times.`}
    </Bar>
  );
}

type Disk = NonNullable<OverviewRecord["regions"][number]["storage_mb"]>;

export function DiskBar({ total, available, in_use }: Disk) {
  const used = total - available;
  const part = share(used, total);
  const words = `${show(used, "mb")} of ${show(total, "mb")} taken`;
  return (
    <Bar what="Disk" words={words} left={show(available, "mb")} label="Disk taken" part={part}>
      Databases and their WAL take {show(in_use, "mb")} of it.
    </Bar>
  );
}

interface BarProps {
  readonly what: string;
  readonly words: string;
  readonly left: string;
  /** What the filled part is. */
  readonly label: string;
  /** Of the whole, as `mark`: 0 to 1. */
  readonly part: number;
  readonly mark?: number;
  readonly children: ReactNode;
}

function Bar({ what, words, left, label, part, mark = 1, children }: BarProps) {
  return (
    <div>
      <div className={classes["barHead"]}>
        <Text size="sm" fw={550}>
          {what}
        </Text>
        <Text size="sm">
          {words}, <b>{left} left</b>
        </Text>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        aria-valuetext={words}
        className={classes["bar"]}
        data-tight={part >= TIGHT || undefined}
      >
        <div className={classes["filled"]} style={{ width: percent(part) }} />
        {mark < 1 && <div className={classes["limit"]} style={{ left: percent(mark) }} aria-hidden />}
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {children}
      </Text>
    </div>
  );
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole);
}

function percent(part: number): string {
  return part > 0 && part < 0.01 ? "1%" : `${Math.round(part * 100)}%`;
}

function inWords(part: number): string {
  return part < 0.01 ? "under 1%" : percent(part);
}

/** Of thousandths of a core, or of mebibytes. */
function show(amount: number, unit: Unit): string {
  if (unit === "cpu") return `${round(amount / 1000)} CPU`;
  const steps = [
    ["TB", 1024 ** 2],
    ["GB", 1024],
  ] as const;
  for (const [name, size] of steps) if (amount >= size) return `${round(amount / size)} ${name}`;
  return `${amount} MB`;
}

function round(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: value >= 100 ? 0 : 1 });
}
