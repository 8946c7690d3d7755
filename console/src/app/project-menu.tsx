/** Which project is looked at, with which key. */
import { Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, LogOut, Plus } from "lucide-react";
import { type Account, signOut, switchTo, useSession } from "../session/session.ts";
import classes from "./navigation.module.css";

export function ProjectMenu({ account }: { account: Account }) {
  const { accounts } = useSession();
  const navigate = useNavigate();
  return (
    <Menu position="top-start" width={232} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes["project"]}>
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={550} truncate title={account.projectName}>
              <VisuallyHidden>Project </VisuallyHidden>
              {account.projectName}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {account.role.replace("_", "-")} key
            </Text>
          </div>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {accounts.map(({ projectId, projectName }) => (
          <Menu.Item
            key={projectId}
            rightSection={projectId === account.projectId ? <Check size={14} aria-label="current" /> : null}
            onClick={() => {
              switchTo(projectId);
              void navigate({ to: "/services" });
            }}
          >
            {projectName}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Plus size={14} />} onClick={() => void navigate({ to: "/sign-in" })}>
          Add a project
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => signOut(account.projectId)}>
          Sign out of {account.projectName}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
