/** Kinds of events that people look for, by the types that the API has for them. */
export const EVENT_KINDS = [
  { id: "all", title: "Everything", types: null },
  {
    id: "requests",
    title: "What was asked for",
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
  { id: "status", title: "Status and conditions", types: ["service.status", "service.condition"] },
  { id: "steps", title: "Steps and waits", types: ["service.step", "service.waiting"] },
  { id: "members", title: "Members and who leads", types: ["service.role", "service.member"] },
  { id: "trouble", title: "Trouble", types: ["service.trouble", "service.withdrawn", "webhook.disabled"] },
] as const satisfies readonly EventKind[];

interface EventKind {
  readonly id: string;
  readonly title: string;
  /** As the API's filter takes them, at most 20; null: all. */
  readonly types: readonly string[] | null;
}

/** null: all. */
export function typesOf(kindId: string | undefined): readonly string[] | null {
  return EVENT_KINDS.find(({ id }) => id === kindId)?.types ?? null;
}
