/** What can be done with the SQL that stands in the editor, and within which limits. */
import { Button, Group, Kbd, Menu, NativeSelect, Switch, Text, Tooltip } from "@mantine/core";
import { ChevronDown, Play, Square, Workflow } from "lucide-react";
import { useEffect, useState } from "react";
import type { ReadReplicaSetRecord } from "../../../../src/client/index.ts";
import { useMayWrite } from "../../session/client.tsx";
import { READ_ONLY } from "../../ui/write-button.tsx";
import classes from "./query.module.css";
import { type Explain, milliseconds, type Sheet } from "./sheet.ts";
import type { Running } from "./use-run.ts";

const ROWS = [
  [100, "100 rows"],
  [500, "500 rows"],
  [1_000, "1k rows"],
  [5_000, "5k rows"],
  [10_000, "10k rows"],
] as const;
const SECONDS = [
  [5, "5 s"],
  [30, "30 s"],
  [60, "1 min"],
  [300, "5 min"],
] as const;

export interface ToolbarProps {
  readonly sheet: Sheet;
  readonly sets: readonly ReadReplicaSetRecord[];
  readonly running: Running | null;
  readonly hasSelection: boolean;
  readonly onChange: (part: Partial<Sheet>) => void;
  readonly onRun: (explain: Explain) => void;
  readonly onCancel: () => void;
}

export function Toolbar({ sheet, sets, running, hasSelection, onChange, onRun, onCancel }: ToolbarProps) {
  return (
    <Group className={classes["toolbar"]} role="toolbar" aria-label="Query">
      <RunButtons
        empty={sheet.sql.trim() === ""}
        running={running}
        hasSelection={hasSelection}
        onRun={onRun}
        onCancel={onCancel}
      />
      <ReadOnlySwitch readOnly={sheet.readOnly} onChange={(readOnly) => onChange({ readOnly })} />
      <Group gap={6} ml="auto">
        {sets.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label="Where it runs"
            value={sheet.setId ?? ""}
            onChange={({ currentTarget: { value } }) => onChange({ setId: value === "" ? null : value })}
            data={[
              { value: "", label: "Primary" },
              ...sets.map(({ id, name }) => ({ value: id, label: `Replicas ${name}` })),
            ]}
          />
        )}
        <NativeSelect
          size="xs"
          aria-label="Rows at most"
          value={String(sheet.maxRows)}
          onChange={({ currentTarget: { value } }) => onChange({ maxRows: Number(value) })}
          w={100}
          data={ROWS.map(([value, label]) => ({ value: String(value), label }))}
        />
        <NativeSelect
          size="xs"
          aria-label="Time at most"
          value={String(sheet.seconds)}
          onChange={({ currentTarget: { value } }) => onChange({ seconds: Number(value) })}
          w={76}
          data={SECONDS.map(([value, label]) => ({ value: String(value), label }))}
        />
      </Group>
    </Group>
  );
}

interface RunButtonsProps extends Pick<ToolbarProps, "running" | "hasSelection" | "onRun" | "onCancel"> {
  readonly empty: boolean;
}

function RunButtons({ empty, running, hasSelection, onRun, onCancel }: RunButtonsProps) {
  if (running)
    return (
      <Group gap="xs" className={classes["run"]}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Square size={12} fill="currentColor" aria-hidden />}
          onClick={onCancel}
        >
          Cancel
        </Button>
        <Elapsed since={running.since} />
      </Group>
    );
  return (
    <Group gap="xs" className={classes["run"]}>
      <Tooltip
        label={
          <>
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>, or <Kbd size="xs">⌘</Kbd>{" "}
            <Kbd size="xs">Enter</Kbd>
          </>
        }
      >
        <Button
          size="xs"
          leftSection={<Play size={13} fill="currentColor" aria-hidden />}
          disabled={empty}
          onClick={() => onRun("none")}
        >
          {hasSelection ? "Run the selection" : "Run"}
        </Button>
      </Tooltip>
      {/* Whoever clicks into the editor to close it goes on typing there; Escape leads back to the button all the same. */}
      <Menu returnFocus={false} position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            disabled={empty}
            leftSection={<Workflow size={14} aria-hidden />}
            rightSection={<ChevronDown size={13} aria-hidden />}
          >
            Explain
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onRun("plan")}>
            Show the plan
            <Text size="xs" className={classes["secondary"]}>
              How PostgreSQL would run it. Nothing is run.
            </Text>
          </Menu.Item>
          <Menu.Item onClick={() => onRun("analyze")}>
            Run it and show the plan
            <Text size="xs" className={classes["secondary"]}>
              With the time each step took. Changes are rolled back.
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

const TICK_MS = 100;

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text size="sm" c="dimmed" role="timer">
      {milliseconds(Math.floor((now - since) / TICK_MS) * TICK_MS)}
    </Text>
  );
}

function ReadOnlySwitch({ readOnly, onChange }: { readOnly: boolean; onChange: (on: boolean) => void }) {
  const mayWrite = useMayWrite();
  const why = mayWrite
    ? readOnly
      ? "Writes fail, whatever the SQL says."
      : "What you run changes data."
    : READ_ONLY;
  return (
    <Tooltip label={why} multiline maw={280}>
      <Switch
        size="sm"
        label="Read-only"
        checked={readOnly}
        aria-disabled={!mayWrite}
        onChange={(event) => {
          if (mayWrite) onChange(event.currentTarget.checked);
        }}
      />
    </Tooltip>
  );
}
