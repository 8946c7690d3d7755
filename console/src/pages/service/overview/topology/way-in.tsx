/** How clients reach the service: the gateway, and the pooler where there is one. */
import { Group, Popover, Text, UnstyledButton } from "@mantine/core";
import { Layers, type LucideIcon, Users, Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { Copy } from "../../../../ui/copy.tsx";
import type { Mood } from "../../../../ui/mood.ts";
import type { Box } from "./boxes.ts";
import type { Layout } from "./layout.ts";
import type { Picture } from "./picture.ts";
import { placed } from "./placed.ts";
import classes from "./topology.module.css";

export interface WayInProps {
  readonly service: ServiceRecord;
  readonly picture: Picture;
  readonly layout: Layout;
}

export function WayIn({ service, picture, layout }: WayInProps) {
  const { pooler } = picture;
  return (
    <>
      <li className={classes["card"]} data-clients style={placed(layout.clients)}>
        <Users size={16} aria-hidden />
        <span>Clients</span>
      </li>
      <Station
        box={layout.gateway}
        icon={Waypoints}
        name="Gateway"
        address={addressOf(service.endpoint)}
        words={picture.gatewayWords}
        mood={picture.gatewayMood}
      >
        {picture.leader
          ? "Clients connect here. It leads to whoever is primary, so the address stays the same when the lead changes."
          : "Clients connect here. It leads to the nodes of this set, which can only be read."}
      </Station>
      {pooler && layout.pooler && (
        <Station
          box={layout.pooler}
          icon={Layers}
          name="Pooler"
          address={addressOf(service.connection_pooler?.endpoint)}
          words={pooler.words}
          mood={pooler.mood}
        >
          Lends few server connections to many clients. The database tsdb pools sessions, tsdb_transaction
          pools transactions.
        </Station>
      )}
    </>
  );
}

interface StationProps {
  readonly box: Box;
  readonly icon: LucideIcon;
  readonly name: string;
  readonly address: string | null;
  readonly words: string;
  readonly mood: Mood;
  readonly children: ReactNode;
}

function Station({ box, icon: Icon, name, address, words, mood, children }: StationProps) {
  return (
    <li className={classes["place"]} style={placed(box)}>
      <Popover width={300} shadow="md" withArrow trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={classes["card"]} data-mood={mood} aria-description="Shows more">
            <span className={classes["title"]}>
              <Icon size={15} className={classes["sign"]} aria-hidden />
              <span className={classes["name"]}>{name}</span>
            </span>
            <span className={classes["state"]}>{words}</span>
            <span className={classes["fact"]} title={address ?? undefined}>
              {address}
            </span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={name}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" mt={4}>
            {children}
          </Text>
          {address !== null && (
            <Group gap={4} mt={8} wrap="nowrap">
              <Text size="sm" ff="monospace" truncate title={address}>
                {address}
              </Text>
              <Copy text={address} what={`the address of the ${name.toLowerCase()}`} />
            </Group>
          )}
        </Popover.Dropdown>
      </Popover>
    </li>
  );
}

export function addressOf(endpoint: ServiceRecord["endpoint"]): string | null {
  const { host, port } = endpoint ?? {};
  return host === undefined || port === undefined ? null : `${host}:${port}`;
}
