import { Skeleton, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Ban, Check, CircleHelp, type LucideIcon } from "lucide-react";
import type { AuditPage } from "../../../../src/client/index.ts";
import { Actor } from "../../ui/actor.tsx";
import { Moment } from "../../ui/moment.tsx";
import type { Mood } from "../../ui/mood.ts";
import classes from "./audit-table.module.css";
import { wordsOf } from "./operation-words.ts";

type Record = AuditPage["records"][number];

export function AuditTable({ records }: { records: readonly Record[] }) {
  return (
    <section className={classes["scroll"]} aria-label="Records" tabIndex={0}>
      <Table className={classes["table"]} verticalSpacing="sm" horizontalSpacing="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>From</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Row key={record.id} record={record} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Row({ record }: { record: Record }) {
  const { at, actor, key_name, operation, method, path, service_id, remote_address, request_id } = record;
  return (
    <Table.Tr>
      <Table.Td className={classes["time"]}>
        <Moment at={at} />
      </Table.Td>
      <Table.Td className={classes["who"]} title={key_name}>
        <Actor actor={actor} name={key_name} by="" />
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550}>
          {wordsOf(operation)}
        </Text>
        <Text size="xs" c="dimmed" className={classes["path"]} title={`${method} ${path}`}>
          {service_id === undefined ? (
            `${method} ${below(path)}`
          ) : (
            <Link to="/services/$serviceId" params={{ serviceId: service_id }}>
              {service_id}
            </Link>
          )}
        </Text>
      </Table.Td>
      <Table.Td>
        <Outcome {...record} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {remote_address}
        </Text>
        <Text
          size="xs"
          c="dimmed"
          ff="monospace"
          className={classes["request"]}
          title={`Request ${request_id}`}
        >
          {request_id}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

const ACCEPTED_BELOW = 400;

function Outcome({ status, error_code }: Pick<Record, "status" | "error_code">) {
  const [Sign, word, mood]: readonly [LucideIcon, string, Mood] =
    status === undefined
      ? [CircleHelp, "Not known", "calm"]
      : status < ACCEPTED_BELOW
        ? [Check, "Accepted", "good"]
        : [Ban, "Refused", "bad"];
  return (
    <div className={classes["outcome"]} data-mood={mood}>
      <Sign size={14} strokeWidth={2.5} aria-hidden />
      <div>
        <Text size="sm">
          {word} {status}
        </Text>
        {error_code !== undefined && (
          <Text size="xs" ff="monospace" c="dimmed">
            {error_code}
          </Text>
        )}
        {status === undefined && (
          <Text size="xs" c="dimmed">
            the process ended first
          </Text>
        )}
      </div>
    </div>
  );
}

const SKELETONS = 8;

export function AuditTableLoading() {
  return (
    <Stack gap={22} p="lg" aria-busy aria-label="Loading records">
      {Array.from({ length: SKELETONS }, (_, index) => (
        <Skeleton key={index} h={26} />
      ))}
    </Stack>
  );
}

/** Without what all paths of a project begin with. */
function below(path: string): string {
  return path.replace(/^.*?\/projects\/\w+/, "…");
}
