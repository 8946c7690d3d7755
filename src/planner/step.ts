import type { MemberLimits } from "./limits.ts";
import type { ClusterConfiguration } from "./observed.ts";
import type { PostgresSettings } from "./settings.ts";

/**
 * One change that a platform makes, small enough to be repeated: a platform first asks whether it is done already.
 * A step leaves no choice to the platform; everything it needs stands in it.
 */
export type Step =
  | { readonly kind: "ensureFoundation" }
  | {
      readonly kind: "createMember";
      readonly ordinal: number;
      readonly limits: MemberLimits;
      readonly configuration: ClusterConfiguration;
      /**
       * Whether an empty volume may become a new, empty database (`new`: only ever the first member of a service
       * that has never been ready), has to be filled from the primary (`copy`), or holds the parent's data already
       * (`fork`).
       */
      readonly data: "new" | "copy" | "fork";
    }
  /** Fills the volume of a fork's first member from its parent. */
  | {
      readonly kind: "copyParent";
      readonly ordinal: number;
      readonly parentId: string;
      readonly limits: MemberLimits;
    }
  | { readonly kind: "clearCopy" }
  | { readonly kind: "startMember"; readonly ordinal: number; readonly limits: MemberLimits }
  | { readonly kind: "stopMember"; readonly ordinal: number }
  /** Kills what can no longer be spoken to, and sees it dead; unlike a stop, which asks PostgreSQL to end. */
  | { readonly kind: "endMember"; readonly ordinal: number }
  | { readonly kind: "ensureGateway"; readonly allowList: readonly string[] }
  | {
      readonly kind: "setAllowList";
      readonly allowList: readonly string[];
      /** CIDRs of VPCs that are let in as well; left out: none. */
      readonly vpcRanges?: readonly string[];
    }
  /** Puts the gateway into the network of a VPC as well, without touching a connection. */
  | { readonly kind: "joinVpc"; readonly vpcId: string }
  | { readonly kind: "leaveVpc"; readonly vpcId: string }
  /** Makes the gateway, as it is reached in a VPC, reached from another network by the same name. */
  | {
      readonly kind: "ensureRelay";
      readonly vpcId: string;
      readonly peeringId: string;
      readonly network: string;
    }
  | { readonly kind: "removeRelay"; readonly peeringId: string }
  /** Makes everything of ours inside the databases current: roles, their passwords, what the pooler asks. */
  | { readonly kind: "setRoles"; readonly ordinal: number; readonly passwordVersion: number }
  | { readonly kind: "ensurePooler" }
  | { readonly kind: "removePooler" }
  | { readonly kind: "setLimits"; readonly ordinal: number; readonly limits: MemberLimits }
  | { readonly kind: "configure"; readonly configuration: ClusterConfiguration }
  /** Makes one member take up what all were told and needs no restart; as a rule it does so by itself, and at once. */
  | { readonly kind: "takeUpSettings"; readonly ordinal: number; readonly settings: PostgresSettings }
  /** Restarts it once it has taken up what it is restarted for. */
  | { readonly kind: "restartPostgres"; readonly ordinal: number }
  /** Tells one member that only reads its own settings, and restarts its PostgreSQL where they need that. */
  | {
      readonly kind: "fitMember";
      readonly ordinal: number;
      readonly settings: PostgresSettings;
      readonly restart: boolean;
    }
  | { readonly kind: "switchover"; readonly from: number; readonly to: number }
  | { readonly kind: "removeMember"; readonly ordinal: number }
  | { readonly kind: "removeService" };

export type StepKind = Step["kind"];

/** How a step ended. An exception instead of an outcome is a broken edge: the engine gone, a network down. */
export type StepOutcome =
  | { readonly kind: "done" }
  /** It has begun or cannot begin yet; observing again will tell. */
  | { readonly kind: "wait"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** The sentence that events and the terminal show. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case "ensureFoundation":
      return "Preparing the network and the coordination of the service";
    case "createMember":
      return `Creating member ${step.ordinal} ${BEGINNINGS[step.data]}`;
    case "copyParent":
      return `Copying the data of service ${step.parentId}`;
    case "clearCopy":
      return "Clearing away what has copied the data";
    case "stopMember":
      return `Stopping member ${step.ordinal}`;
    case "endMember":
      return `Ending member ${step.ordinal}, which takes no part any more`;
    case "setAllowList":
      return "Telling the endpoint which addresses may connect";
    case "joinVpc":
      return `Opening the endpoint in VPC ${step.vpcId}`;
    case "leaveVpc":
      return `Closing the endpoint in VPC ${step.vpcId}`;
    case "ensureRelay":
      return `Opening the endpoint in the network ${step.network}, by peering ${step.peeringId}`;
    case "removeRelay":
      return `Closing the endpoint to peering ${step.peeringId}`;
    case "setRoles":
      return "Setting the roles and passwords of the service";
    case "ensurePooler":
      return "Starting the pooler";
    case "removePooler":
      return "Removing the pooler";
    case "startMember":
      return `Starting member ${step.ordinal}`;
    case "ensureGateway":
      return "Opening the endpoint";
    case "setLimits":
      return `Setting the CPU and memory of member ${step.ordinal}`;
    case "configure":
      return "Telling the members their settings and how many replicas are synchronous";
    case "takeUpSettings":
      return `Bringing the settings into force on member ${step.ordinal}`;
    case "restartPostgres":
      return `Restarting PostgreSQL on member ${step.ordinal} for settings that need it`;
    case "fitMember":
      return step.restart
        ? `Restarting PostgreSQL on member ${step.ordinal} with the settings of its size`
        : `Telling member ${step.ordinal} the settings of its size`;
    case "switchover":
      return `Handing the lead from member ${step.from} to member ${step.to}`;
    case "removeMember":
      return `Removing replica ${step.ordinal}`;
    case "removeService":
      return "Removing everything that belongs to the service";
  }
}

const BEGINNINGS = {
  new: "with a new database",
  copy: "as a copy of the primary",
  fork: "with the data of its parent",
} as const;
