/** Why a statement was refused: PostgreSQL's own words, and where in the SQL it stands. */
import { Alert, Code, Group, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { ClientError } from "../../../../src/client/index.ts";
import { readQueryFailure } from "../../../../src/contract/query.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { spanAt } from "./position.ts";
import classes from "./query.module.css";
import type { Statement } from "./sheet.ts";

export function QueryError({ error, statement }: { error: Error; statement: Statement }) {
  const failure = error instanceof ClientError ? readQueryFailure(error.details) : null;
  if (!failure)
    return (
      <div className={classes["refusal"]}>
        <ErrorNotice error={error} title="The query did not run to its end" />
      </div>
    );
  const { sqlState, position, more } = failure;
  return (
    <div className={classes["refusal"]}>
      <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />} role="alert">
        <Text size="sm" fw={600}>
          {error.message}
        </Text>
        {more !== "" && (
          <Text size="sm" mt={4} className={classes["more"]}>
            {more}
          </Text>
        )}
        <Group gap="xs" mt="xs">
          <Code>{sqlState}</Code>
          {position !== null && (
            <Text size="xs" c="dimmed">
              line {lineOf(statement.sql, position)}, marked above
            </Text>
          )}
        </Group>
      </Alert>
    </div>
  );
}

function lineOf(sql: string, position: number): number {
  return sql.slice(0, spanAt(sql, position, 0).from).split("\n").length;
}
