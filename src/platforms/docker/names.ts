/** Every name in the engine follows from the installation and the service, so that a step finds what an earlier try left. */
export interface Names {
  readonly control: string;
  readonly etcd: string;
  readonly etcdVolume: string;
  readonly network: (serviceId: string) => string;
  /** Of the gateway's container and of its volume. */
  readonly gateway: (serviceId: string) => string;
  /** Of the pooler's container and of its volume. */
  readonly pooler: (serviceId: string) => string;
  /** Of the container that copies a fork's parent, and of the volume with what it needs for that. */
  readonly copier: (serviceId: string) => string;
  /** Of the network that users run their containers in. */
  readonly vpc: (vpcId: string) => string;
  /** Of the container between a peered network and a VPC. */
  readonly relay: (serviceId: string, peeringId: string) => string;
  /** Of a member's container and of its volume. */
  readonly member: (serviceId: string, ordinal: number) => string;
}

export function namesFor(installationId: string): Names {
  const prefix = `howdah-${installationId}`;
  return {
    control: `${prefix}-control`,
    etcd: `${prefix}-etcd`,
    etcdVolume: `${prefix}-etcd`,
    network: (serviceId) => `${prefix}-${serviceId}`,
    gateway: (serviceId) => `${prefix}-${serviceId}-gateway`,
    pooler: (serviceId) => `${prefix}-${serviceId}-pooler`,
    // Of several networks the engine takes the one whose name comes first for a container's way out and for its published
    // ports. An underscore comes after the hyphen in the names of services' networks.
    vpc: (vpcId) => `howdah_vpc_${installationId}_${vpcId}`,
    relay: (serviceId, peeringId) => `${prefix}-${serviceId}-peering-${peeringId}`,
    copier: (serviceId) => `${prefix}-${serviceId}-copier`,
    member: (serviceId, ordinal) => `${prefix}-${serviceId}-member-${ordinal}`,
  };
}

export const LABEL = {
  installation: "org.howdah.installation",
  service: "org.howdah.service",
  role: "org.howdah.role",
  ordinal: "org.howdah.member",
  vpc: "org.howdah.vpc",
  peering: "org.howdah.peering",
  /** Which way a container was made; see form.ts. */
  form: "org.howdah.form",
} as const;

/** Whether that is a container or volume of a member, be it one that only reads. */
export function holdsData(labels: Readonly<Record<string, string>> | null): boolean {
  const role = labels?.[LABEL.role];
  return role === "member" || role === "reader";
}

/** How Patroni and pg_stat_replication call a member. */
export function memberName(ordinal: number): string {
  return `member-${ordinal}`;
}

/** As memberName, for a member that may be one that only reads: that stands among those of another service. */
export function patroniName(
  { serviceId, readsFrom }: { readonly serviceId: string; readonly readsFrom: unknown },
  ordinal: number,
): string {
  return readsFrom === null ? memberName(ordinal) : `read-${serviceId}-${ordinal}`;
}
