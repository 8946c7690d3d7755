/** Where a service can run. */
import { Group, Radio, Text } from "@mantine/core";
import type { RegionRecord } from "../../../../src/client/index.ts";
import { memory } from "../../ui/format.ts";
import classes from "./create.module.css";

export interface RegionCardsProps {
  readonly regions: readonly RegionRecord[];
  readonly value: string;
  readonly onChange: (code: string) => void;
}

export function RegionCards({ regions, value, onChange }: RegionCardsProps) {
  return (
    <Radio.Group aria-label="Region" value={value} onChange={onChange}>
      <div className={classes["cards"]}>
        {regions.map(({ code, available, free }) => {
          const room = available ? `${memory(Math.floor(free.memory_gbs))} memory free` : "No room now";
          return (
            <Radio.Card
              key={code}
              value={code}
              disabled={!available}
              data-disabled={available ? undefined : true}
              className={classes["card"]}
              aria-label={`${code}, ${room}`}
            >
              <Group gap={8} wrap="nowrap" justify="space-between" align="flex-start">
                <Text fw={550} truncate title={code}>
                  {code}
                </Text>
                <Radio.Indicator size="xs" mt={2} disabled={!available} />
              </Group>
              <Text size="xs" c="dimmed" mt={2}>
                {room}
              </Text>
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}
