/** How many replicas stand by, and how many of them a commit waits for. */
import { Input, SegmentedControl, Stack } from "@mantine/core";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { MAX_REPLICAS } from "../../../../../src/contract/requests.ts";
import { useServiceChange } from "../../../data/use-service-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ChangeReview } from "../../../ui/change-review.tsx";
import { replicas, size } from "../../../ui/format.ts";
import { Panel } from "../../../ui/panel.tsx";
import { useDraft } from "../drafts.tsx";
import { explainReplicas } from "./explain-replicas.ts";
import type { Replicas } from "./replicas.ts";
import classes from "./settings-tab.module.css";
import { SwitchoverPanel } from "./switchover-panel.tsx";

export function ReplicasSection({ service }: { service: ServiceRecord }) {
  const { service_id: id, ha_replicas, resources } = service;
  const now = { count: ha_replicas?.replica_count ?? 0, synchronous: ha_replicas?.sync_replica_count ?? 0 };
  const [asked, setAsked] = useDraft("replicas");
  const ask = (to: Replicas | null) => setAsked(() => to);
  const { count, synchronous } = asked ?? now;
  const setHa = useServiceChange({
    send: (client, to: Replicas) => client.setHa(id, bodyOf(to)),
    accepted: (_, to) => `Accepted: ${replicas(to.count, to.synchronous).toLowerCase()}.`,
    onAccepted: () => ask(null),
  });
  const change = (to: Replicas) => {
    setHa.reset();
    ask(to.count === now.count && to.synchronous === now.synchronous ? null : to);
  };
  const { survives, loss, writes } = explainReplicas(count, synchronous);
  return (
    <>
      <Panel
        title="Replicas"
        description="Copies of the primary that follow it all the time, each with a volume of its own, ready to take over."
      >
        <Stack gap="md">
          <Count
            label="How many replicas"
            to={MAX_REPLICAS}
            value={count}
            onChange={(next) => change({ count: next, synchronous: Math.min(synchronous, next) })}
          />
          <Count
            label="How many of them synchronous"
            to={count}
            value={synchronous}
            onChange={(next) => change({ count, synchronous: next })}
          />
          <dl className={classes["means"]} aria-live="polite">
            <dt>When a member is lost</dt>
            <dd>{survives}</dd>
            <dt>Data</dt>
            <dd>{loss}</dd>
            <dt>Latency</dt>
            <dd>{writes}</dd>
            <dt>Resources</dt>
            <dd>{takes(count, size(resources[0]?.spec ?? {}))}</dd>
          </dl>
          {asked && (
            <ChangeReview
              serviceId={id}
              change={{ operation: "setHA", body: bodyOf(asked) }}
              action={`Change to ${replicas(asked.count, asked.synchronous).toLowerCase()}`}
              failed="The replicas were not changed"
              sent={setHa}
              onApply={() => setHa.mutate(asked)}
              onDiscard={() => ask(null)}
            />
          )}
        </Stack>
      </Panel>
      <SwitchoverPanel service={service} />
    </>
  );
}

function takes(count: number, each: string): string {
  if (count === 0) return "None besides the primary's.";
  return `${count === 1 ? "The replica takes" : "Each replica takes"} the primary's size once more: ${each}.`;
}

interface CountProps {
  readonly label: string;
  /** The highest. */
  readonly to: number;
  readonly value: number;
  readonly onChange: (count: number) => void;
}

function Count({ label, to, value, onChange }: CountProps) {
  const mayWrite = useMayWrite();
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={label}
          size="sm"
          disabled={!mayWrite}
          value={String(value)}
          onChange={(next) => onChange(Number(next))}
          data={Array.from({ length: to + 1 }, (_, count) => String(count))}
        />
      </div>
    </Input.Wrapper>
  );
}

function bodyOf({ count, synchronous }: Replicas) {
  return { replica_count: count, sync_replica_count: synchronous };
}
