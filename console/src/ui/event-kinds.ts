/** Kinds of events that people look for, by the types that the API filters by. Pure. */
export const EVENT_KINDS = [
  { id: "all", title: "All", types: null },
  {
    id: "requests",
    title: "Asked for",
    types: [
      "service.create",
      "service.delete",
      "service.deleted",
      "service.ha",
      "service.resize",
      "service.switchover",
      "service.start",
      "service.stop",
      "service.parameters",
      "service.password",
      "service.pooler",
      "service.allow-list",
      "service.protection",
      "service.environment",
      "service.renamed",
      "service.vpc",
      "vpc",
      "webhook",
    ],
  },
  { id: "status", title: "Status", types: ["service.status", "service.condition"] },
  { id: "members", title: "Lead and members", types: ["service.role", "service.member"] },
  { id: "steps", title: "Steps", types: ["service.step", "service.waiting"] },
  { id: "trouble", title: "Trouble", types: ["service.trouble", "service.withdrawn", "webhook.disabled"] },
] as const satisfies readonly EventKind[];

interface EventKind {
  readonly id: string;
  readonly title: string;
  /** As the API's filter takes them, at most 20; null: all. */
  readonly types: readonly string[] | null;
}

/** For a control to choose one of them. */
export const EVENT_KIND_CHOICES = EVENT_KINDS.map(({ id, title }) => ({ value: id, label: title }));

/** null: all. */
export function typesOf(kindId: string): readonly string[] | null {
  return EVENT_KINDS.find(({ id }) => id === kindId)?.types ?? null;
}
