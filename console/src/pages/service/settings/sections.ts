/** The sections of the settings, in their order; each has its own address, after a second #. */
export const SECTIONS = [
  { id: "general", title: "General" },
  { id: "password", title: "Password" },
  { id: "size", title: "Size" },
  { id: "replicas", title: "Replicas" },
  { id: "pooler", title: "Connection pooler" },
  { id: "parameters", title: "Parameters" },
  { id: "access", title: "Who may connect" },
  { id: "read-replica-sets", title: "Read replica sets" },
  { id: "vpc", title: "VPC" },
  { id: "danger", title: "Danger zone" },
] as const;

export type SectionId = (typeof SECTIONS)[number]["id"];

/** Any other word leads to the first one. */
export function sectionOf(hash: string): SectionId {
  return SECTIONS.find(({ id }) => id === hash)?.id ?? SECTIONS[0].id;
}
