/** The sizes that this installation offers, with what each gives; those that do not fit now say so. */
import { Group, Radio, Text } from "@mantine/core";
import { amount } from "../../ui/amount.ts";
import { cpu, memory } from "../../ui/format.ts";
import classes from "./create.module.css";
import type { SizeChoice, SizeId } from "./draft.ts";

export interface SizeCardsProps {
  readonly sizes: readonly SizeChoice[];
  /** How many members of the size have to fit. */
  readonly members: number;
  readonly value: SizeId;
  readonly onChange: (size: SizeId) => void;
}

export function SizeCards({ sizes, members, value, onChange }: SizeCardsProps) {
  return (
    <Radio.Group aria-label="Size" value={value} onChange={onChange}>
      <div className={classes["cards"]}>
        {sizes.map((size) => (
          <SizeCard key={size.id} size={size} members={members} />
        ))}
      </div>
    </Radio.Group>
  );
}

function SizeCard({ size, members }: { size: SizeChoice; members: number }) {
  const { id, cpuMillis, memoryGbs, membersLeft, settings } = size;
  const fits = membersLeft >= members;
  const title = cpuMillis === null ? "Shared CPU" : cpu(cpuMillis);
  return (
    <Radio.Card
      value={id}
      disabled={!fits}
      data-disabled={fits ? undefined : true}
      className={classes["card"]}
      aria-label={`${title}, ${memory(memoryGbs)}${fits ? "" : `, ${whyNot(membersLeft, members)}`}`}
    >
      <Group gap={8} wrap="nowrap" justify="space-between" align="flex-start">
        <div>
          <Text fw={600} c={fits ? "inherit" : "dimmed"}>
            {title}
          </Text>
          <Text size="sm" c={fits ? "inherit" : "dimmed"}>
            {memory(memoryGbs)} memory
          </Text>
        </div>
        <Radio.Indicator size="xs" mt={2} disabled={!fits} />
      </Group>
      <Text size="xs" c="dimmed" mt={8}>
        {fits ? (
          <>
            {amount(settings.shared_buffers)} buffers
            <br />
            {amount(settings.work_mem)} for each sort
            <br />
            {settings.max_parallel_workers} parallel workers
          </>
        ) : (
          whyNot(membersLeft, members)
        )}
      </Text>
    </Radio.Card>
  );
}

function whyNot(membersLeft: number, members: number): string {
  if (membersLeft <= 0) return "The region has no room for it now.";
  return `There is room for ${membersLeft} of the ${members} nodes.`;
}
