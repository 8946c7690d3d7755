/** The sign of an event, by what it is about. Pure. */
import {
  ArrowLeftRight,
  Check,
  CircleDashed,
  Hourglass,
  type LucideIcon,
  Network,
  Pause,
  Server,
  Trash2,
  TriangleAlert,
  Undo2,
  User,
  Webhook,
  Wrench,
} from "lucide-react";
import type { Mood } from "./mood.ts";

export interface EventSign {
  readonly icon: LucideIcon;
  readonly mood: Mood;
}

interface Told {
  readonly type: string;
  readonly actor: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const BY_TYPE: Readonly<Record<string, EventSign>> = {
  "service.step": { icon: Wrench, mood: "busy" },
  "service.waiting": { icon: Hourglass, mood: "busy" },
  "service.trouble": { icon: TriangleAlert, mood: "warn" },
  "service.withdrawn": { icon: Undo2, mood: "bad" },
  "service.member": { icon: Server, mood: "calm" },
  "service.deleted": { icon: Trash2, mood: "calm" },
  "webhook.disabled": { icon: Webhook, mood: "bad" },
};

const BY_STATUS: Readonly<Record<string, EventSign>> = {
  READY: { icon: Check, mood: "good" },
  UNSTABLE: { icon: TriangleAlert, mood: "bad" },
  PAUSED: { icon: Pause, mood: "calm" },
  DELETING: { icon: Trash2, mood: "busy" },
};

export function eventSign({ type, actor, data = {} }: Told): EventSign {
  const known = BY_TYPE[type];
  if (known) return known;
  switch (type) {
    case "service.status":
      return BY_STATUS[String(data["to"])] ?? { icon: CircleDashed, mood: "busy" };
    case "service.role":
      return { icon: ArrowLeftRight, mood: data["reason"] === "failover" ? "warn" : "busy" };
    case "service.condition":
      // That was asked for.
      if (data["reason"] === "Stopped") return { icon: Pause, mood: "calm" };
      return data["status"] === "True"
        ? { icon: Check, mood: "good" }
        : { icon: TriangleAlert, mood: data["status"] === "False" ? "bad" : "warn" };
    default:
      // What somebody asked for.
      if (actor.startsWith("key:")) return { icon: User, mood: "calm" };
      return { icon: type.startsWith("vpc") ? Network : CircleDashed, mood: "calm" };
  }
}
