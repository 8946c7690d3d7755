/** Who asked for what, from where, and what became of it. */
import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { KeyRound, ScrollText, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useAudit } from "../../data/audit.ts";
import { useAccount } from "../../session/client.tsx";
import { now } from "../../session/clock.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AuditTable, AuditTableLoading } from "./audit-table.tsx";
import { Download } from "./download.tsx";
import { type Range, rangeOf } from "./range.ts";
import { RangePicker } from "./range-picker.tsx";

const READERS: ReadonlySet<string> = new Set(["admin", "operator"]);

export function AuditPage() {
  const { role } = useAccount();
  return (
    <Page
      title="Audit"
      description="Every request that would change something, accepted or refused. What was only read is not here."
    >
      {READERS.has(role) ? <Audit /> : <NotForThisKey role={role} />}
    </Page>
  );
}

function Audit() {
  const [range, setRange] = useState<Range>({ kind: "last", hours: 24 });
  const [wanted, setWanted] = useState("");
  const [seenAt, setSeenAt] = useState(() => new Date(now()));
  const query = useMemo(() => rangeOf(range, seenAt), [range, seenAt]);
  const { records, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetching } =
    useAudit(query);
  const shown = useMemo(() => records?.filter((record) => matches(record, wanted)), [records, wanted]);
  const lookAgain = () => setSeenAt(new Date(now()));
  return (
    <Stack gap="lg">
      <Group gap="sm" align="flex-end">
        <RangePicker
          range={range}
          onChange={(next) => {
            setRange(next);
            lookAgain();
          }}
        />
        <TextInput
          label="Find"
          placeholder="Key, operation, service, address"
          leftSection={<Search size={15} aria-hidden />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          w={{ base: "100%", xs: 260 }}
        />
        <Group gap="xs" ml={{ base: 0, md: "auto" }}>
          <Button variant="default" onClick={lookAgain} loading={isFetching && !isFetchingNextPage}>
            Look again
          </Button>
          <Download query={query} />
        </Group>
      </Group>
      {error && (
        <ErrorNotice error={error} title="The audit cannot be shown" onRetry={() => void refetch()} />
      )}
      {!error && (
        <Panel flush>
          {shown === undefined ? (
            <AuditTableLoading />
          ) : shown.length === 0 ? (
            <Nothing filtered={wanted !== ""} more={hasNextPage} />
          ) : (
            <AuditTable records={shown} />
          )}
        </Panel>
      )}
      {records !== undefined && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {shown?.length === records.length
              ? `${records.length} ${records.length === 1 ? "record" : "records"}`
              : `${shown?.length ?? 0} of ${records.length} records`}
            {hasNextPage && " loaded, there are older ones"}
          </Text>
          {hasNextPage && (
            <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
              Load older records
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

type Record = NonNullable<ReturnType<typeof useAudit>["records"]>[number];

/** Among what is loaded: the API knows no such search. */
function matches(record: Record, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const {
    actor,
    key_name,
    operation,
    path,
    service_id = "",
    remote_address,
    error_code = "",
    status = "",
  } = record;
  const text = [actor, key_name, operation, path, service_id, remote_address, error_code, status]
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function Nothing({ filtered, more }: { filtered: boolean; more: boolean }) {
  return (
    <Empty
      icon={<ScrollText size={28} />}
      title={filtered ? "No record has that in it" : "Nothing was asked for in this time"}
    >
      {filtered && more
        ? "Only loaded records are searched: load older ones, or download all."
        : "Choose a longer time."}
    </Empty>
  );
}

function NotForThisKey({ role }: { role: string }) {
  return (
    <Empty icon={<KeyRound size={28} />} title="This page needs an admin's key">
      The key that is signed in has the role {role.replace("_", "-")}. The audit is for the roles admin and
      operator: <Code>howdah keys create --role admin</Code> makes such a key.
    </Empty>
  );
}
