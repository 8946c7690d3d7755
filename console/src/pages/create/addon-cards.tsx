/** What PostgreSQL is to have beside itself. */
import { Checkbox, Group, Text } from "@mantine/core";
import classes from "./create.module.css";
import type { Addon } from "./draft.ts";

const ADDONS = [
  {
    id: "time-series",
    title: "Time-series",
    text: "TimescaleDB: tables of measurements and events that stay fast as they grow, with compression and rollups.",
  },
  {
    id: "ai",
    title: "AI",
    text: "pgvector: embeddings beside your data, found by how similar they are.",
  },
] as const satisfies readonly { id: Addon; title: string; text: string }[];

export interface AddonCardsProps {
  readonly value: readonly Addon[];
  readonly onChange: (addons: readonly Addon[]) => void;
}

export function AddonCards({ value, onChange }: AddonCardsProps) {
  return (
    <Checkbox.Group
      aria-label="Add-ons"
      value={[...value]}
      onChange={(chosen) => onChange(ADDONS.map(({ id }) => id).filter((id) => chosen.includes(id)))}
    >
      <div className={`${classes["cards"]} ${classes["wide"]}`}>
        {ADDONS.map(({ id, title, text }) => (
          <Checkbox.Card key={id} value={id} className={classes["card"]} aria-label={title}>
            <Group gap={10} wrap="nowrap" align="flex-start">
              <Checkbox.Indicator size="xs" mt={2} />
              <div>
                <Text fw={550}>{title}</Text>
                <Text size="xs" c="dimmed" mt={2}>
                  {text}
                </Text>
              </div>
            </Group>
          </Checkbox.Card>
        ))}
      </div>
    </Checkbox.Group>
  );
}
