/** Kinds of events that people look for, by the types that the API filters by. Pure. */

export const KINDS = [
  { id: "all", title: "All" },
  { id: "asked", title: "Asked for" },
  { id: "state", title: "Status" },
  { id: "lead", title: "Lead and members" },
  { id: "steps", title: "Steps" },
  { id: "trouble", title: "Trouble" },
] as const;

export type KindId = (typeof KINDS)[number]["id"];

/** At most 20, as the API takes them; null: all. */
const TYPES: Readonly<Record<KindId, readonly string[] | null>> = {
  all: null,
  asked: [
    "service.create",
    "service.resize",
    "service.ha",
    "service.parameters",
    "service.start",
    "service.stop",
    "service.switchover",
    "service.password",
    "service.allow-list",
    "service.protection",
    "service.environment",
    "service.renamed",
    "service.pooler",
    "service.vpc",
    "service.delete",
    "service.deleted",
  ],
  state: ["service.status", "service.condition"],
  lead: ["service.role", "service.member"],
  steps: ["service.step", "service.waiting"],
  trouble: ["service.trouble", "service.withdrawn"],
};

export function typesOf(kind: KindId): readonly string[] | null {
  return TYPES[kind];
}

export function isKindId(id: string): id is KindId {
  return KINDS.some((kind) => kind.id === id);
}
