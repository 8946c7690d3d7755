/** The sizes on offer, to choose one of. */
import { Radio, Skeleton, Text } from "@mantine/core";
import type { RegionRecord } from "../../../../../src/client/index.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { amount } from "../../../ui/amount.ts";
import { cpu, memory, size } from "../../../ui/format.ts";
import classes from "./size-cards.module.css";

export type OfferedSize = RegionRecord["sizes"][number];

export interface SizeCardsProps {
  /** undefined: not known yet. */
  readonly sizes: readonly OfferedSize[] | undefined;
  /** The key of the size that the service has. */
  readonly now: string;
  readonly value: string;
  readonly onChange: (size: OfferedSize) => void;
}

interface Sized {
  readonly cpu_millis?: number | undefined;
  readonly memory_gbs?: number | undefined;
}

/** What tells a size from others. */
export function keyOfSize({ cpu_millis, memory_gbs }: Sized): string {
  return cpu_millis === undefined ? "shared" : `${cpu_millis}/${memory_gbs}`;
}

export function SizeCards({ sizes, now, value, onChange }: SizeCardsProps) {
  const mayWrite = useMayWrite();
  if (!sizes)
    return (
      <div className={classes["cards"]} role="status" aria-label="Loading the sizes">
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
          <Skeleton key={index} h={66} />
        ))}
      </div>
    );
  return (
    <Radio.Group
      aria-label="Size"
      value={value}
      onChange={(key) => {
        const chosen = sizes.find((each) => keyOfSize(each) === key);
        if (chosen) onChange(chosen);
      }}
    >
      <div className={classes["cards"]}>
        {sizes.map((offered) => {
          const key = keyOfSize(offered);
          return (
            <Radio.Card
              key={key}
              value={key}
              disabled={!mayWrite}
              className={classes["card"]}
              aria-label={`${size(offered)}${key === now ? ", the size it has" : ""}`}
            >
              <div className={classes["head"]}>
                <Radio.Indicator disabled={!mayWrite} />
                <Text fw={600}>{cpu(offered.cpu_millis)}</Text>
                <Text>{memory(offered.memory_gbs)}</Text>
                {key === now && <span className={classes["now"]}>Now</span>}
              </div>
              <Text size="xs" c="dimmed">
                {amount(offered.settings.shared_buffers)} of shared buffers
              </Text>
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}
