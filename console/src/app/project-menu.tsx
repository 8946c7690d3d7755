/** Which project is looked at, with which key. */
import { Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, LogOut, Plus } from "lucide-react";
import { type Account, signOut, useSession } from "../session/session.ts";
import { exactly } from "../ui/moment.tsx";
import classes from "./navigation.module.css";

export function ProjectMenu({ account }: { account: Account }) {
  const { accounts } = useSession();
  const navigate = useNavigate();
  const all = accounts.map(({ projectId }) => projectId);
  return (
    <Menu position="top-start" width={264} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes["project"]}>
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={550} truncate title={account.projectName}>
              <VisuallyHidden>Project </VisuallyHidden>
              {account.projectName}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {roleWord(account.role)} key
            </Text>
          </div>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {accounts.map(({ projectId, projectName, role }) => (
          <Menu.Item
            key={projectId}
            rightSection={projectId === account.projectId ? <Check size={14} aria-label="current" /> : null}
            onClick={() => void navigate({ to: "/projects/$projectId", params: { projectId } })}
          >
            <Text size="sm" truncate title={projectName}>
              {projectName}
            </Text>
            <Text size="xs" c="dimmed">
              {roleWord(role)} key
            </Text>
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Plus size={14} />} onClick={() => void navigate({ to: "/sign-in" })}>
          Add a project
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label fw={400}>
          <Text size="xs" truncate title={account.keyName}>
            Key “{account.keyName}”
          </Text>
          {account.expiresAt !== undefined && <Text size="xs">until {exactly(account.expiresAt)}</Text>}
        </Menu.Label>
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void leave([account.projectId])}>
          {accounts.length > 1 ? `Sign out of ${account.projectName}` : "Sign out"}
        </Menu.Item>
        {accounts.length > 1 && (
          <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void leave(all)}>
            Sign out of all {accounts.length} projects
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function roleWord(role: string): string {
  const word = role.replace("_", "-");
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

async function leave(projectIds: readonly string[]): Promise<void> {
  if (await signOut(projectIds)) return;
  notifications.show({
    title: "Signed out here",
    message:
      "The server could not be told. A key that a sign-in link has made ends by itself within 12 hours.",
    autoClose: false,
  });
}
