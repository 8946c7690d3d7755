/** Every name in the engine follows from the installation and the service, so that a step finds what an earlier try left. */
export interface Names {
  readonly control: string;
  readonly etcd: string;
  readonly etcdVolume: string;
  readonly network: (serviceId: string) => string;
  readonly gateway: (serviceId: string) => string;
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
    member: (serviceId, ordinal) => `${prefix}-${serviceId}-member-${ordinal}`,
  };
}

export const LABEL = {
  installation: "org.howdah.installation",
  service: "org.howdah.service",
  role: "org.howdah.role",
  ordinal: "org.howdah.member",
} as const;

/** How Patroni and pg_stat_replication call a member. */
export function memberName(ordinal: number): string {
  return `member-${ordinal}`;
}
