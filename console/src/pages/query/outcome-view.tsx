/** What became of the last statement. */
import { Button, Group, Tabs, Text, Tooltip } from "@mantine/core";
import { Ban, ClipboardCheck, Sheet as SheetIcon, SquareTerminal } from "lucide-react";
import type { QueryRecord } from "../../../../src/client/index.ts";
import { Empty } from "../../ui/empty.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { toCsv } from "./csv.ts";
import { PlanView } from "./plan-view.tsx";
import classes from "./query.module.css";
import { QueryError } from "./query-error.tsx";
import { ResultTable } from "./result-table.tsx";
import { milliseconds, type Outcome } from "./sheet.ts";

type Result = QueryRecord["results"][number];

export function OutcomeView({ outcome }: { outcome: Outcome | null }) {
  if (!outcome)
    return (
      <Empty icon={<SquareTerminal size={28} strokeWidth={1.5} />} title="Nothing has run yet">
        Write SQL above and run it. What you select runs alone.
      </Empty>
    );
  if (outcome.kind === "cancelled")
    return (
      <Empty icon={<Ban size={28} strokeWidth={1.5} />} title="Cancelled">
        PostgreSQL was told to stop, and the connection ended. What had been committed before stays.
      </Empty>
    );
  if (outcome.kind === "refused") return <QueryError error={outcome.error} statement={outcome.statement} />;
  const { answer, statement } = outcome;
  return (
    <>
      <Notices notices={answer.notices} />
      {statement.explain === "none" ? (
        <Results key={answer.duration_ms} answer={answer} maxRows={statement.maxRows} />
      ) : (
        <PlanView plan={answer.plan} />
      )}
    </>
  );
}

function Results({ answer, maxRows }: { answer: QueryRecord; maxRows: number }) {
  const { results, duration_ms } = answer;
  const [first] = results;
  if (!first)
    return (
      <Text p="md" c="dimmed" size="sm">
        There was nothing to run.
      </Text>
    );
  if (results.length === 1)
    return <OneResult result={first} maxRows={maxRows} durationMs={duration_ms} label="Result" />;
  // Whoever runs several statements looks for the last one's rows.
  const shown = results.findLastIndex(({ columns }) => columns.length > 0);
  return (
    <Tabs defaultValue={String(Math.max(0, shown))} keepMounted={false}>
      <Tabs.List className={classes["resultTabs"]} aria-label="Results">
        {results.map(({ command, row_count }, index) => (
          <Tabs.Tab key={index} value={String(index)}>
            {index + 1} · {command} {counts(command) && row_count.toLocaleString("en")}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {results.map((result, index) => (
        <Tabs.Panel key={index} value={String(index)}>
          <OneResult
            result={result}
            maxRows={maxRows}
            durationMs={duration_ms}
            label={`Result ${index + 1}`}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface OneResultProps {
  readonly result: Result;
  readonly maxRows: number;
  /** Of all results together. */
  readonly durationMs: number;
  readonly label: string;
}

function OneResult({ result, maxRows, durationMs, label }: OneResultProps) {
  const { columns, rows, row_count, truncated, command } = result;
  const told = truncated
    ? `The first ${rows.length.toLocaleString("en")} rows; there are more`
    : `${row_count.toLocaleString("en")} ${row_count === 1 ? "row" : "rows"}`;
  return (
    <>
      <Group className={classes["summary"]} justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {columns.length === 0 && <b>{command} </b>}
          {counts(command) ? told : "done"}
          <Text span c="dimmed">
            {" "}
            · {milliseconds(durationMs)}
          </Text>
          {truncated && (
            <Text span className={classes["truncated"]} data-mood="warn">
              {rows.length < maxRows
                ? "truncated at 8 MB"
                : `truncated at ${maxRows.toLocaleString("en")} rows`}
            </Text>
          )}
        </Text>
        {columns.length > 0 && <CopyCsv result={result} />}
      </Group>
      {columns.length > 0 && <ResultTable result={result} label={label} />}
    </>
  );
}

/** Of other commands PostgreSQL tells no number. */
function counts(command: string): boolean {
  return /^(SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|FETCH|MOVE)$/.test(command);
}

function CopyCsv({ result }: { result: Result }) {
  const { state, copy } = useCopy();
  const copied = state === "copied";
  const label =
    state === "refused"
      ? "The browser does not allow it"
      : "The rows that are shown, with the names of columns";
  return (
    <Tooltip label={label}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={copied ? <ClipboardCheck size={14} aria-hidden /> : <SheetIcon size={14} aria-hidden />}
        onClick={() => void copy(toCsv(result))}
      >
        {copied ? "Copied" : "Copy as CSV"}
      </Button>
    </Tooltip>
  );
}

function Notices({ notices }: { notices: QueryRecord["notices"] }) {
  if (notices.length === 0) return null;
  return (
    <ul className={classes["notices"]} aria-label="What PostgreSQL said">
      {notices.map(({ severity, message }, index) => (
        <li key={index} data-severity={severity}>
          <b>{severity}</b> {message}
        </li>
      ))}
    </ul>
  );
}
