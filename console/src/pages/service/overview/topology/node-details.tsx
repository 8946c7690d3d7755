/** What is known of one node, and the way to its logs and metrics. */
import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { NodeRecord } from "../../../../../../src/client/index.ts";
import { useQueries } from "../../../../data/queries.ts";
import { LAST_HOUR } from "../../../../data/time-range.ts";
import { Facts } from "../../../../ui/facts.tsx";
import { memoryBytes } from "../../../../ui/format.ts";
import { newestOf } from "../../../../ui/newest.ts";

export interface NodeDetailsProps {
  readonly serviceId: string;
  readonly node: NodeRecord;
  readonly words: string;
  readonly lag: string | null;
}

const GB = 1024 ** 3;

export function NodeDetails({ serviceId, node, words, lag }: NodeDetailsProps) {
  const queries = useQueries();
  const { data: cpu } = useQuery(queries.series(serviceId, "cpu_millis", LAST_HOUR));
  const { data: memory } = useQuery(queries.series(serviceId, "memory_bytes", LAST_HOUR));
  const running = node.state === "running";
  const [cpuUsed, memoryUsed] = [newestOf(cpu?.series, node.name), newestOf(memory?.series, node.name)];
  const where = { params: { serviceId }, search: { node: node.name } };
  return (
    <>
      <Text fw={600} ff="monospace" size="sm">
        {node.name}
      </Text>
      <Facts
        facts={[
          ["State", words],
          ["Behind the primary", lag === "in step" ? "nothing" : lag],
          [
            "CPU",
            useOf(running ? cpuUsed : null, node.cpu_millis, (millis) => `${round(millis / 1_000)} CPU`),
          ],
          [
            "Memory",
            useOf(
              running ? memoryUsed : null,
              node.memory_gbs === undefined ? undefined : node.memory_gbs * GB,
              memoryBytes,
            ),
          ],
        ]}
      />
      <Group gap="md" mt="sm">
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/services/$serviceId/metrics" {...where} {...props} />}
        >
          Metrics
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/services/$serviceId/logs" {...where} {...props} />}
        >
          Logs
        </Anchor>
      </Group>
    </>
  );
}

function useOf(
  used: number | null,
  limit: number | undefined,
  told: (value: number) => string,
): string | null {
  if (used === null) return limit === undefined ? null : told(limit);
  return limit === undefined ? told(used) : `${told(used)} of ${told(limit)}`;
}

function round(cores: number): number {
  return Math.round(cores * 100) / 100;
}
