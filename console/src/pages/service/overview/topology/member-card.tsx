/** One member: what it is called, what it does, and more when it is asked. */
import { Popover, UnstyledButton, VisuallyHidden } from "@mantine/core";
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
import type { NodeRecord } from "../../../../../../src/client/index.ts";
import { memory, size } from "../../../../ui/format.ts";
import { type Box, MEMBER } from "./boxes.ts";
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
  /** Whether the card says how far behind it is: in a read replica set it has no line of its own. */
  readonly telling?: boolean;
  /** The service or the read replica set that it is of. */
  readonly serviceId: string;
  readonly member: DrawnMember;
  readonly box: Box;
}

export function MemberCard({ serviceId, member, box, telling = false }: MemberCardProps) {
  const { node, name, words, mood, leads, link, lag } = member;
  if (!node || node.state === "absent")
    return (
      <li className={classes["card"]} data-ghost style={placed(box)}>
        {name !== "" && (
          <div className={classes["title"]}>
            <CircleDashed size={15} aria-hidden />
            <span className={classes["name"]}>{name}</span>
          </div>
        )}
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
            <span className={classes["state"]}>
              {telling && lag !== null ? capitalised(lag) : words}
              {!telling && lag !== null && <VisuallyHidden>, {lag}</VisuallyHidden>}
            </span>
            {box.height >= MEMBER.height && <span className={classes["fact"]}>{sizeOf(node)}</span>}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={name}>
          <NodeDetails serviceId={serviceId} node={node} words={words} lag={link === "broken" ? null : lag} />
        </Popover.Dropdown>
      </Popover>
    </li>
  );
}

/** Of the limits in force, as far as they are known. */
function sizeOf({ cpu_millis, memory_gbs }: NodeRecord): string {
  if (memory_gbs === undefined) return "";
  return cpu_millis === undefined ? memory(memory_gbs) : size({ cpu_millis, memory_gbs });
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
