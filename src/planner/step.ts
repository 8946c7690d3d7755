import type { MemberLimits } from "./limits.ts";
import type { ClusterConfiguration } from "./observed.ts";

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
       * that has never been ready) or has to be filled from the primary (`copy`).
       */
      readonly data: "new" | "copy";
    }
  | { readonly kind: "startMember"; readonly ordinal: number; readonly limits: MemberLimits }
  | { readonly kind: "ensureGateway" }
  | { readonly kind: "setLimits"; readonly ordinal: number; readonly limits: MemberLimits }
  | { readonly kind: "configure"; readonly configuration: ClusterConfiguration }
  | { readonly kind: "restartPostgres"; readonly ordinal: number }
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
      return step.data === "new"
        ? `Creating member ${step.ordinal} with a new database`
        : `Creating member ${step.ordinal} as a copy of the primary`;
    case "startMember":
      return `Starting member ${step.ordinal}`;
    case "ensureGateway":
      return "Opening the endpoint";
    case "setLimits":
      return `Setting the CPU and memory of member ${step.ordinal}`;
    case "configure":
      return "Telling the members their settings and how many replicas are synchronous";
    case "restartPostgres":
      return `Restarting PostgreSQL on member ${step.ordinal} for settings that need it`;
    case "switchover":
      return `Handing the lead from member ${step.from} to member ${step.to}`;
    case "removeMember":
      return `Removing replica ${step.ordinal}`;
    case "removeService":
      return "Removing everything that belongs to the service";
  }
}
