/** What can happen to services, as data: a schedule is a list of these. */

/** A service of a run, as `--services` names it: `2s` has two replicas, one of them synchronous. */
export interface Shape {
  /** Unique within a run. */
  readonly name: string;
  readonly replicaCount: number;
  readonly syncReplicaCount: number;
}

/** Which member it is, is found out at the moment of the fault; a service without replicas has its primary alone. */
export type Target = "primary" | "replica";

/** The sizes that services change between, as the API takes them. */
export const SIZES = ["500/2", "1000/4"] as const;
export type SizeName = (typeof SIZES)[number];

/** What runs inside of a member. */
export type Processes = "postgres" | "patroni" | "all";

export type MemberFault =
  | { readonly kind: "killMember"; readonly target: Target }
  | { readonly kind: "killPostmaster"; readonly target: Target }
  | { readonly kind: "pauseMember"; readonly target: Target; readonly forMs: number }
  | {
      readonly kind: "stopProcesses";
      readonly target: Target;
      readonly processes: Processes;
      readonly forMs: number;
    }
  | { readonly kind: "cutNetwork"; readonly target: Target; readonly forMs: number };

/** What somebody asks the API for, whatever is going on. */
export type Request =
  | { readonly kind: "setHA"; readonly replicaCount: number; readonly syncReplicaCount: number }
  | { readonly kind: "resize"; readonly size: SizeName }
  | { readonly kind: "switchover" }
  /** And started again so much later. */
  | { readonly kind: "stop"; readonly forMs: number };

export type ServiceFault =
  | MemberFault
  | Request
  | { readonly kind: "killGateway" }
  | { readonly kind: "killPooler" };

/** What all services of an installation share. */
export type SharedFault =
  | { readonly kind: "killEtcd" }
  /** Started again so much later. */
  | { readonly kind: "killControlPlane"; readonly forMs: number }
  /** Only against an engine of the run's own. */
  | { readonly kind: "restartEngine" };

export type Fault = ServiceFault | SharedFault;

/** `service` is the name of the one that it is about; null: it is about what all share. */
export type Scheduled = {
  /** From the start of the run. */
  readonly atMs: number;
} & (
  | { readonly service: string; readonly fault: ServiceFault }
  | { readonly service: null; readonly fault: SharedFault }
);

/** Such as `t+12.3s 2s: pauseMember primary for 4.0 s`. */
export function describeScheduled({ atMs, service, fault }: Scheduled): string {
  return `t+${seconds(atMs)} s ${service === null ? "" : `${service}: `}${describeFault(fault)}`;
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case "killMember":
    case "killPostmaster":
      return `${fault.kind} ${fault.target}`;
    case "pauseMember":
    case "cutNetwork":
      return `${fault.kind} ${fault.target} for ${seconds(fault.forMs)} s`;
    case "stopProcesses":
      return `${fault.kind} ${fault.processes} of ${fault.target} for ${seconds(fault.forMs)} s`;
    case "setHA":
      return `setHA ${fault.replicaCount} replicas, ${fault.syncReplicaCount} synchronous`;
    case "resize":
      return `resize ${fault.size}`;
    case "stop":
    case "killControlPlane":
      return `${fault.kind} for ${seconds(fault.forMs)} s`;
    case "switchover":
    case "killGateway":
    case "killPooler":
    case "killEtcd":
    case "restartEngine":
      return fault.kind;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
