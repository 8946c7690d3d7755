/** What stands around every page of a project. */
import { AppShell, Burger, Group, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useLiveData } from "../data/live.ts";
import { ClientProvider } from "../session/client.tsx";
import { type Account, useSession } from "../session/session.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { insist } from "./insist.ts";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./shell.module.css";

const CommandPalette = lazy(() => insist(() => import("./command-palette.tsx")));

export function SignedInShell() {
  const { current, endedBecause } = useSession();
  const router = useRouter();
  useEffect(() => {
    // Whoever was signed out by the server comes back to the same page.
    if (current) return;
    const search = endedBecause === null ? {} : { next: router.state.location.href };
    void router.navigate({ to: "/sign-in", search });
  }, [current, endedBecause, router]);
  if (!current) return null;
  return (
    <ClientProvider key={current.projectId} account={current}>
      <Shell account={current} />
    </ClientProvider>
  );
}

function Shell({ account }: { account: Account }) {
  useLiveData();
  const [opened, menu] = useDisclosure();
  const [palette, setPalette] = useState(false);
  const { pathname } = useLocation();
  useHotkeys([["mod+K", () => setPalette(true)]], []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, by whichever way, has neither open.
  useEffect(() => {
    menu.close();
    setPalette(false);
  }, [pathname, menu.close]);
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", sm: "lg", lg: "xl" }}
    >
      <a
        className={classes["skip"]}
        href="#main"
        onClick={(event) => {
          // The part after # is the page's address here.
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes["bar"]}>
        <Group h="100%" px="md" justify="space-between">
          <UnstyledButton component={Link} to="/services" aria-label="Howdah, services">
            <Logo />
          </UnstyledButton>
          <Burger
            opened={opened}
            onClick={menu.toggle}
            size="sm"
            aria-label={opened ? "Close the menu" : "Open the menu"}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes["bar"]} data-closed={!opened || undefined}>
        <Navigation account={account} onPalette={() => setPalette(true)} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes["main"]}>
        <ConnectionNotice />
        <Outlet />
      </AppShell.Main>
      {palette && (
        <Suspense>
          <CommandPalette onClose={() => setPalette(false)} />
        </Suspense>
      )}
    </AppShell>
  );
}
