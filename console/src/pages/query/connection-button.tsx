/** As whom the SQL runs. */
import { Button, Menu, Text } from "@mantine/core";
import { ChevronDown, KeyRound } from "lucide-react";
import type { Login } from "../../session/login.ts";

export interface ConnectionButtonProps {
  readonly login: Login | null;
  readonly onConnect: () => void;
  readonly onForget: () => void;
}

export function ConnectionButton({ login, onConnect, onForget }: ConnectionButtonProps) {
  const look = { size: "compact-sm", variant: "subtle", color: "gray" } as const;
  const icon = <KeyRound size={14} aria-hidden />;
  if (!login)
    return (
      <Button {...look} leftSection={icon} onClick={onConnect}>
        Enter the password
      </Button>
    );
  return (
    <Menu returnFocus={false} position="bottom-start" shadow="md">
      <Menu.Target>
        <Button {...look} leftSection={icon} rightSection={<ChevronDown size={13} aria-hidden />}>
          <Text span size="sm" truncate maw={260}>
            {login.user} in {login.database}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onConnect}>Connect as somebody else</Menu.Item>
        <Menu.Item onClick={onForget}>Forget the password</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
