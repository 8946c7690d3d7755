/** Which line is which node, and which of them are looked at. */
import { UnstyledButton } from "@mantine/core";
import type { NodeRecord } from "../../../../../src/client/index.ts";
import { placeOf } from "../../../ui/chart/chart-data.ts";
import { Swatch } from "../../../ui/chart/swatch.tsx";
import classes from "./metrics.module.css";
import type { MetricsSearch } from "./search.ts";

export interface NodeFilterProps {
  readonly nodes: readonly NodeRecord[] | undefined;
  readonly search: MetricsSearch;
  readonly onChange: (search: MetricsSearch) => void;
}

export function NodeFilter({ nodes = [], search, onChange }: NodeFilterProps) {
  const { node: only, ...others } = search;
  const shown = nodes.filter(({ state }) => state !== "absent");
  // One that is gone may still be looked at.
  const names = [...new Set([...shown.map(({ name }) => name), ...(only === undefined ? [] : [only])])];
  return (
    <div className={classes["nodes"]} role="group" aria-label="Nodes">
      <UnstyledButton
        className={classes["node"]}
        aria-pressed={only === undefined}
        onClick={() => onChange(others)}
      >
        All nodes
      </UnstyledButton>
      {names.map((name) => {
        const role = shown.find((node) => node.name === name)?.role ?? null;
        return (
          <UnstyledButton
            key={name}
            className={classes["node"]}
            aria-pressed={only === name}
            onClick={() => onChange({ ...others, node: name })}
          >
            <Swatch place={placeOf(name)} />
            {name}
            {role !== null && <span className={classes["role"]}>{role}</span>}
          </UnstyledButton>
        );
      })}
    </div>
  );
}
