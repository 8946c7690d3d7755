/** One member: what it is called, what it does, and more when it is asked. */
import { Popover, UnstyledButton } from "@mantine/core";
import {
  ArrowDownToLine,
  CircleDashed,
  Crown,
  Database,
  type LucideIcon,
  Snowflake,
  Square,
  TriangleAlert,
  Unplug,
} from "lucide-react";
import { bytes } from "../../../../ui/format.ts";
import type { Box } from "./boxes.ts";
import { NodeDetails } from "./node-details.tsx";
import type { DrawnMember } from "./picture.ts";
import { placed } from "./placed.ts";
import classes from "./topology.module.css";

const SIGNS: Readonly<Record<string, LucideIcon>> = {
  starting: ArrowDownToLine,
  absent: CircleDashed,
  silent: TriangleAlert,
  stopped: Square,
  frozen: Snowflake,
  "cut off": Unplug,
};

export interface MemberCardProps {
  /** The service or the read replica set that it is of. */
  readonly serviceId: string;
  readonly member: DrawnMember;
  readonly box: Box;
}

export function MemberCard({ serviceId, member, box }: MemberCardProps) {
  const { node, name, words, mood, leads, link, lag } = member;
  if (!node || node.state === "absent")
    return (
      <li className={classes["card"]} data-ghost style={placed(box)}>
        <div className={classes["title"]}>
          <CircleDashed size={15} aria-hidden />
          <span className={classes["name"]}>{name === "" ? "One more" : name}</span>
        </div>
        <span className={classes["state"]}>{words}</span>
      </li>
    );
  const Sign = leads ? Crown : (SIGNS[node.state] ?? (mood === "bad" ? Unplug : Database));
  return (
    <li className={classes["place"]} style={placed(box)}>
      <Popover
        width={280}
        shadow="md"
        withArrow
        trapFocus
        returnFocus
        middlewares={{ flip: true, shift: true }}
      >
        <Popover.Target>
          <UnstyledButton
            className={classes["card"]}
            data-leads={leads || undefined}
            data-mood={mood}
            aria-description="Shows more"
          >
            <span className={classes["title"]}>
              <Sign size={15} strokeWidth={2.25} className={classes["sign"]} aria-hidden />
              <span className={classes["name"]} title={name}>
                {name}
              </span>
            </span>
            <span className={classes["state"]}>{words}</span>
            <span className={classes["fact"]}>{factOf(member)}</span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={name}>
          <NodeDetails serviceId={serviceId} node={node} words={words} lag={link === "broken" ? null : lag} />
        </Popover.Dropdown>
      </Popover>
    </li>
  );
}

/** One line of what matters: how far it is behind, else how large it is. */
function factOf({ node, lag, leads }: DrawnMember): string {
  if (lag !== null && !leads) return lag === "in step" ? "In step with the primary" : capitalised(lag);
  if (!node || node.memory_gbs === undefined) return "";
  const memory = bytes(node.memory_gbs * 1e9);
  return node.cpu_millis === undefined ? memory : `${node.cpu_millis / 1_000} CPU, ${memory}`;
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
