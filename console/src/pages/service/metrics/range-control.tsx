/** Which time is looked at. */
import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { boundsOf, momentFrom } from "../../../data/time-range.ts";
import { now } from "../../../session/clock.ts";
import classes from "./metrics.module.css";
import { localFrom, type MetricsSearch, RANGES, rangeOf } from "./search.ts";

const between = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

export interface RangeControlProps {
  readonly search: MetricsSearch;
  readonly onChange: (search: MetricsSearch) => void;
}

export function RangeControl({ search, onChange }: RangeControlProps) {
  const range = rangeOf(search);
  const node = search.node === undefined ? {} : { node: search.node };
  const usual = range.kind === "last" ? RANGES.find(({ seconds }) => seconds === range.seconds) : undefined;
  return (
    <div className={classes["range"]}>
      <SegmentedControl
        size="sm"
        aria-label="Time"
        value={usual?.id ?? ""}
        onChange={(id) => onChange({ range: id, ...node })}
        data={RANGES.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <Between search={search} onChange={(bounds) => onChange({ ...bounds, ...node })} />
    </div>
  );
}

interface BetweenProps {
  readonly search: MetricsSearch;
  readonly onChange: (bounds: { readonly from: string; readonly to: string }) => void;
}

function Between({ search, onChange }: BetweenProps) {
  const [opened, setOpened] = useState(false);
  const range = rangeOf(search);
  const chosen = range.kind === "between";
  return (
    <Popover opened={opened} onChange={setOpened} shadow="md" withArrow trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="sm"
          variant={chosen ? "light" : "default"}
          leftSection={<CalendarRange size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {chosen ? between.formatRange(new Date(range.from), new Date(range.to)) : "From … to"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="From and to">
        <BetweenForm
          search={search}
          onChange={(bounds) => {
            setOpened(false);
            onChange(bounds);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function BetweenForm({ search, onChange }: BetweenProps) {
  const [bounds, setBounds] = useState(() => {
    const { from, to } = boundsOf(rangeOf(search), now());
    return { from: localFrom(from), to: localFrom(to) };
  });
  const [from, to] = [momentFrom(bounds.from), momentFrom(bounds.to)];
  const backwards = from !== null && to !== null && from >= to;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (from !== null && to !== null && !backwards) onChange({ from, to });
      }}
    >
      <Stack gap="xs">
        <TextInput
          type="datetime-local"
          label="From"
          required
          value={bounds.from}
          onChange={(event) => setBounds({ ...bounds, from: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label="To"
          required
          value={bounds.to}
          error={backwards && "It must be later than the beginning"}
          onChange={(event) => setBounds({ ...bounds, to: event.currentTarget.value })}
        />
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={from === null || to === null || backwards}>
            Show this time
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
