/** Services with something left to do, those that have waited longest first. */
import { Table, Text } from "@mantine/core";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import { Mark, type MarkMood } from "../../ui/mark.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Calm } from "./calm.tsx";
import classes from "./operator-page.module.css";
import { ServiceRef } from "./service-ref.tsx";

type Job = OverviewRecord["jobs"]["first"][number];

const STATES: Readonly<Record<string, { readonly word: string; readonly mood: MarkMood }>> = {
  queued: { word: "Queued", mood: "waiting" },
  working: { word: "Working", mood: "busy" },
  waiting: { word: "Waiting", mood: "waiting" },
  overdue: { word: "Overdue", mood: "warn" },
  failing: { word: "Failing", mood: "bad" },
  unreachable: { word: "Unreachable", mood: "bad" },
};

const ORDER = ["failing", "unreachable", "overdue", "working", "waiting", "queued"];

export function Jobs({ jobs }: { jobs: OverviewRecord["jobs"] }) {
  return (
    <Panel title="Left to do" description={description(jobs)} flush>
      {jobs.first.length === 0 ? (
        <Calm inset>Everything that was asked for is in force.</Calm>
      ) : (
        <section className={classes["scroll"]} aria-label="Jobs" tabIndex={0}>
          <Table className={classes["table"]} verticalSpacing="sm" horizontalSpacing="lg">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Service</Table.Th>
                <Table.Th visibleFrom="lg">Status</Table.Th>
                <Table.Th>What is left</Table.Th>
                <Table.Th visibleFrom="sm">Since</Table.Th>
                <Table.Th visibleFrom="md">Next look</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {jobs.first.map((job) => (
                <JobRow key={job.service_id} job={job} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Panel>
  );
}

function JobRow({ job }: { job: Job }) {
  const { word, mood } = STATES[job.state] ?? { word: job.state, mood: "warn" };
  return (
    <Table.Tr>
      <Table.Td className={classes["who"]}>
        <ServiceRef project={job.project} service={{ id: job.service_id, name: job.name }} />
        <Text size="xs" c="dimmed" truncate>
          {job.project.name} · {job.region_code}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          since <Moment at={job.since} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <StatusBadge status={job.status} />
      </Table.Td>
      <Table.Td>
        <Mark mood={mood}>{word}</Mark>
        <Text size="sm" mt={3} className={classes["message"]}>
          {job.message}
        </Text>
        {job.failures > 0 && (
          <Text size="xs" c="dimmed">
            {job.failures} {job.failures === 1 ? "try" : "tries"} in vain
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes["time"]}>
        <Moment at={job.since} />
      </Table.Td>
      <Table.Td visibleFrom="md" className={classes["time"]}>
        {job.lease ? (
          <Text size="sm" truncate maw={180} title={job.lease.holder}>
            now, by {job.lease.holder}
          </Text>
        ) : job.next_look === undefined ? (
          "now"
        ) : (
          <Moment at={job.next_look} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function description({ total, by_state, first }: OverviewRecord["jobs"]): string {
  if (total === 0) return "The reconciler has nothing to do.";
  const parts = ORDER.flatMap((state) => {
    const many = by_state[state] ?? 0;
    return many === 0 ? [] : [`${many} ${(STATES[state]?.word ?? state).toLowerCase()}`];
  });
  const rest = total > first.length ? ` The ${first.length} that have waited longest are shown.` : "";
  return `${parts.join(", ")}.${rest}`;
}
