/** The way to every page, and whose project this is. */
import { Group, Kbd, NavLink, ScrollArea, Stack, Text, UnstyledButton } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { Search } from "lucide-react";
import type { Account } from "../session/session.ts";
import { Logo } from "./logo.tsx";
import classes from "./navigation.module.css";
import { placesFor } from "./places.ts";
import { ProjectMenu } from "./project-menu.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

export interface NavigationProps {
  readonly account: Account;
  readonly onPalette: () => void;
}

export function Navigation({ account, onPalette }: NavigationProps) {
  const { pathname } = useLocation();
  return (
    <Stack h="100%" p="sm" gap="sm">
      <UnstyledButton component={Link} to="/services" p={6} visibleFrom="sm" aria-label="Howdah, services">
        <Logo />
      </UnstyledButton>
      <UnstyledButton className={classes["search"]} onClick={onPalette}>
        <Search size={15} aria-hidden />
        <Text span size="sm" flex={1}>
          Go to …
        </Text>
        <Kbd size="xs">{/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"}</Kbd>
      </UnstyledButton>
      <ScrollArea flex={1}>
        <nav aria-label="Pages">
          {placesFor(account.role).map(({ to, title, icon: Icon }) => {
            const here = pathname === to || pathname.startsWith(`${to}/`);
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={title}
                leftSection={<Icon size={16} aria-hidden />}
                active={here}
                aria-current={here ? "page" : undefined}
                className={classes["place"]}
              />
            );
          })}
        </nav>
      </ScrollArea>
      <Group gap={4} wrap="nowrap" justify="space-between">
        <ProjectMenu account={account} />
        <ThemeSwitch />
      </Group>
    </Stack>
  );
}
