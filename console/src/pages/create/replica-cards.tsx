/** Replicas in plain words: what survives what, and what it costs. */
import { Group, NumberInput, Radio, Text } from "@mantine/core";
import { useState } from "react";
import classes from "./create.module.css";
import { BY_HAND, planOf, REPLICA_PLANS, type ReplicaPlan } from "./replica-plans.ts";

export interface ReplicaCardsProps {
  readonly replicas: number;
  readonly synchronous: number;
  /** How many there is room for at the size that is chosen. */
  readonly most: number;
  readonly onChange: (replicas: number, synchronous: number) => void;
}

export function ReplicaCards({ replicas, synchronous, most, onChange }: ReplicaCardsProps) {
  const [byHand, setByHand] = useState(planOf(replicas, synchronous) === BY_HAND);
  const value = byHand ? BY_HAND : planOf(replicas, synchronous);
  return (
    <Radio.Group
      aria-label="Replicas"
      value={value}
      onChange={(id) => {
        setByHand(id === BY_HAND);
        const plan = REPLICA_PLANS.find((each) => each.id === id);
        if (plan) onChange(plan.replicas, plan.synchronous);
      }}
    >
      <div className={`${classes["cards"]} ${classes["stack"]}`}>
        {REPLICA_PLANS.map((plan) => (
          <PlanCard key={plan.id} plan={plan} fits={plan.replicas <= most} />
        ))}
        <Radio.Card value={BY_HAND} className={classes["card"]} aria-label="Other numbers">
          <Head title="Other numbers" />
        </Radio.Card>
      </div>
      {byHand && (
        <Group mt="sm" align="flex-start">
          <NumberInput
            label="Replicas"
            description={`0 to ${Math.max(0, most)} have room`}
            min={0}
            max={Math.max(0, most)}
            clampBehavior="strict"
            allowDecimal={false}
            value={replicas}
            onChange={(count) => onChange(Number(count), Math.min(synchronous, Number(count)))}
          />
          <NumberInput
            label="Of them synchronous"
            description={`0 to ${replicas}`}
            min={0}
            max={replicas}
            clampBehavior="strict"
            allowDecimal={false}
            value={synchronous}
            onChange={(count) => onChange(replicas, Number(count))}
          />
        </Group>
      )}
    </Radio.Group>
  );
}

function PlanCard({ plan, fits }: { plan: ReplicaPlan; fits: boolean }) {
  const { id, title, survives, loses, costs } = plan;
  return (
    <Radio.Card
      value={id}
      disabled={!fits}
      data-disabled={fits ? undefined : true}
      className={classes["card"]}
      aria-label={`${title}. ${fits ? `${survives} Lost: ${loses} Costs: ${costs}` : NO_ROOM}`}
    >
      <Head title={title} fits={fits} />
      {fits ? (
        <div className={classes["facts"]}>
          <Fact title="If the primary fails" text={survives} />
          <Fact title="Lost then" text={loses} />
          <Fact title="Costs" text={costs} />
        </div>
      ) : (
        <Text size="xs" c="dimmed" pl={28} mt={2}>
          {NO_ROOM}
        </Text>
      )}
    </Radio.Card>
  );
}

const NO_ROOM = "The region has no room for so many nodes of this size.";

function Head({ title, fits = true }: { title: string; fits?: boolean }) {
  return (
    <Group gap={10} wrap="nowrap">
      <Radio.Indicator size="xs" disabled={!fits} />
      <Text fw={550} c={fits ? "inherit" : "dimmed"}>
        {title}
      </Text>
    </Group>
  );
}

function Fact({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="xs">{text}</Text>
    </div>
  );
}
