/** The statements that were run from this tab. */
import { Button, Menu, Text } from "@mantine/core";
import { History } from "lucide-react";
import { Moment } from "../../ui/moment.tsx";
import classes from "./query.module.css";
import type { HistoryEntry } from "./sheet.ts";

export interface HistoryMenuProps {
  readonly entries: readonly HistoryEntry[];
  readonly onPick: (sql: string) => void;
}

export function HistoryMenu({ entries, onPick }: HistoryMenuProps) {
  if (entries.length === 0) return null;
  return (
    <Menu returnFocus={false} position="bottom-end" shadow="md" width={420}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<History size={14} aria-hidden />}
        >
          History
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes["history"]}>
        {entries.map(({ sql, explain, at, became }) => (
          <Menu.Item key={`${explain} ${sql}`} onClick={() => onPick(sql)}>
            <span className={classes["historySql"]}>{sql.trim()}</span>
            <Text size="xs" className={classes["secondary"]} component="span">
              <Moment at={at} /> · {became}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
