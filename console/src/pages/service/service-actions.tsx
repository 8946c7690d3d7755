/** What is done to a service most often, and the ways to everything else. */
import { Button, Group, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import {
  ChevronDown,
  GitFork,
  KeyRound,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  Plug,
  Repeat2,
  Trash2,
} from "lucide-react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { useMayWrite } from "../../session/client.tsx";
import { ConnectDialog } from "../../ui/connect-dialog.tsx";
import { powerOf, whyNoPower } from "../../ui/power.ts";
import { type PowerAsked, PowerDialog } from "../../ui/power-dialog.tsx";
import { useDialog } from "../../ui/use-dialog.ts";
import { READ_ONLY, WriteButton } from "../../ui/write-button.tsx";
import { ForkDialog } from "./fork-dialog.tsx";
import type { SectionId } from "./settings/sections.ts";

export function ServiceActions({ service }: { service: ServiceRecord }) {
  const [connecting, connect] = useDisclosure();
  const power = useDialog<PowerAsked>();
  const fork = useDialog();
  const standby = service.forked_from?.is_standby === true;
  const stopped = powerOf(service) === "start";
  return (
    <Group gap="xs">
      {!standby && (
        <WriteButton
          variant="default"
          leftSection={stopped ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
          onClick={() => power.open({ power: powerOf(service), service })}
          unavailable={whyNoPower(service)}
        >
          {stopped ? "Start" : "Stop"}
        </WriteButton>
      )}
      {!standby && <More service={service} onFork={() => fork.open()} />}
      <Button leftSection={<Plug size={15} aria-hidden />} onClick={connect.open}>
        Connect
      </Button>
      <ConnectDialog service={service} opened={connecting} onClose={connect.close} />
      <PowerDialog asked={power.about} opened={power.opened} onClose={power.close} />
      <ForkDialog service={service} opened={fork.opened} onClose={fork.close} />
    </Group>
  );
}

function More({ service, onFork }: { service: ServiceRecord; onFork: () => void }) {
  const mayWrite = useMayWrite();
  const item = (section: SectionId, title: string, Icon: LucideIcon, color = "var(--mantine-color-text)") => (
    <Menu.Item
      leftSection={<Icon size={15} aria-hidden />}
      c={color}
      renderRoot={(props) => (
        <Link
          to="/services/$serviceId/settings"
          params={{ serviceId: service.service_id }}
          hash={section}
          {...props}
        />
      )}
    >
      {title}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={210} shadow="md">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {!mayWrite && <Menu.Label>{READ_ONLY}</Menu.Label>}
        <Menu.Item leftSection={<GitFork size={15} aria-hidden />} onClick={onFork} disabled={!mayWrite}>
          Fork …
        </Menu.Item>
        {item("general", "Rename", Pencil)}
        {item("password", "Change the password", KeyRound)}
        {item("replicas", "Switch over", Repeat2)}
        <Menu.Divider />
        {item("danger", "Delete", Trash2, "var(--mantine-color-error)")}
      </Menu.Dropdown>
    </Menu>
  );
}
