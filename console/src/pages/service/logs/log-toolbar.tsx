/** What is searched for in the log. */
import { Chip, Group, NativeSelect, Switch, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useState } from "react";
import { Copy } from "../../../ui/copy.tsx";
import { type LogFilter, RANGES } from "./log-filter.ts";
import { SEVERITY_GROUPS } from "./log-lines.ts";
import classes from "./logs.module.css";

const AFTER_TYPING_MS = 300;

export interface LogToolbarProps {
  readonly filter: LogFilter;
  /** Names of members. */
  readonly nodes: readonly string[];
  readonly live: boolean;
  /** Why nothing new can come; null: it can. */
  readonly notLive: string | null;
  /** What is shown, as text. */
  readonly text: () => string;
  readonly onFilter: (filter: LogFilter) => void;
  readonly onLive: (live: boolean) => void;
}

export function LogToolbar({ filter, nodes, live, notLive, text, onFilter, onLive }: LogToolbarProps) {
  const set = (part: Partial<LogFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className={classes["toolbar"]} role="toolbar" aria-label="Log">
      <SearchInput initial={filter.search} onSearch={(search) => set({ search })} />
      <Chip.Group multiple value={[...filter.groups]} onChange={(groups) => set({ groups })}>
        <Group gap={6} role="group" aria-label="Severities">
          {SEVERITY_GROUPS.map(({ id, title }) => (
            <Chip key={id} value={id} size="xs" variant="outline">
              {title}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <NativeSelect
        size="xs"
        aria-label="Member"
        value={filter.node}
        onChange={({ currentTarget: { value } }) => set({ node: value })}
        data={[{ value: "", label: "All members" }, ...nodes.map((node) => ({ value: node, label: node }))]}
      />
      <NativeSelect
        size="xs"
        aria-label="When"
        value={filter.range}
        onChange={({ currentTarget: { value } }) => set({ range: value })}
        data={[...RANGES]}
      />
      {filter.range === "custom" && (
        <Group gap={6}>
          <MomentInput label="From" value={filter.from} onChange={(from) => set({ from })} />
          <MomentInput label="To" value={filter.to} onChange={(to) => set({ to })} />
        </Group>
      )}
      <Group gap="xs" className={classes["right"]}>
        <Tooltip label={notLive ?? "What is written from now on is added."} multiline maw={280}>
          <Switch
            size="sm"
            label="Live"
            checked={live && notLive === null}
            aria-disabled={notLive !== null}
            onChange={(event) => {
              if (notLive === null) onLive(event.currentTarget.checked);
            }}
          />
        </Tooltip>
        <CopyLines text={text} />
      </Group>
    </div>
  );
}

function SearchInput({ initial, onSearch }: { initial: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback(onSearch, AFTER_TYPING_MS);
  return (
    <TextInput
      className={classes["search"]}
      size="xs"
      type="search"
      aria-label="Search the log"
      placeholder="Words, or “several words”"
      leftSection={<Search size={14} aria-hidden />}
      value={text}
      maxLength={512}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        search(value);
      }}
    />
  );
}

interface MomentInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function MomentInput({ label, value, onChange }: MomentInputProps) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The text is made when somebody points at it: it may be long. */
function CopyLines({ text }: { text: () => string }) {
  const [made, setMade] = useState("");
  const make = () => setMade(text());
  return (
    <span onPointerEnter={make} onFocus={make}>
      <Copy text={made} what="the lines shown" />
    </span>
  );
}
