/** How many nodes of which size. */
import { NativeSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { MAX_READ_NODES } from "../../../../../../src/contract/read-replica-sets.ts";
import { useQueries } from "../../../../data/queries.ts";
import { size } from "../../../../ui/format.ts";
import { keyOfSize } from "../size-cards.tsx";

export interface SetShape {
  /** Empty while it is being typed. */
  readonly nodes: number | string;
  readonly cpu_millis: number;
  readonly memory_gbs: number;
}

export interface SetFormProps {
  readonly regionCode: string;
  readonly value: SetShape;
  readonly onChange: (value: SetShape) => void;
}

export function SetForm({ regionCode, value, onChange }: SetFormProps) {
  const { data: regions = [] } = useQuery(useQueries().regions);
  const offered = regions.find(({ code }) => code === regionCode)?.sizes ?? [];
  const own = keyOfSize(value);
  const sizes = offered.some((each) => keyOfSize(each) === own) ? offered : [value, ...offered];
  return (
    <>
      <NumberInput
        label="Nodes"
        description={`1 to ${MAX_READ_NODES}. Each new connection is led to the one with the fewest.`}
        required
        min={1}
        max={MAX_READ_NODES}
        allowDecimal={false}
        clampBehavior="strict"
        value={value.nodes}
        onChange={(nodes) => onChange({ ...value, nodes })}
      />
      <NativeSelect
        label="Size of each node"
        value={own}
        data={sizes.map((each) => ({ value: keyOfSize(each), label: size(each) }))}
        onChange={(event) => {
          const chosen = sizes.find((each) => keyOfSize(each) === event.currentTarget.value);
          if (chosen)
            onChange({ nodes: value.nodes, cpu_millis: chosen.cpu_millis, memory_gbs: chosen.memory_gbs });
        }}
      />
    </>
  );
}
