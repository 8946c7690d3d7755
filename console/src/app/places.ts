/** The pages of a project, for the navigation and the command palette. */
import {
  Activity,
  Database,
  Gauge,
  type LucideIcon,
  Network,
  ScrollText,
  Webhook as WebhookIcon,
} from "lucide-react";

export const PLACES = [
  { to: "/services", title: "Services", icon: Database },
  { to: "/activity", title: "Activity", icon: Activity },
  { to: "/vpcs", title: "VPCs", icon: Network },
  { to: "/webhooks", title: "Webhooks", icon: WebhookIcon },
  { to: "/audit", title: "Audit", icon: ScrollText, roles: ["admin", "operator"] },
  { to: "/operator", title: "Operator", icon: Gauge, roles: ["operator"] },
] as const satisfies readonly Place[];

interface Place {
  readonly to: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Left out: for every key. */
  readonly roles?: readonly string[];
}

/** Those that a key with this role can open. */
export function placesFor(role: string) {
  return PLACES.filter((place) => !("roles" in place) || place.roles.some((allowed) => allowed === role));
}
