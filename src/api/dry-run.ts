/** Changes that are asked for with `dry_run=true`: judged as the real ones, and answered with their plan. */
import { type Static, Type } from "typebox";
import { Plan } from "../contract/plan.ts";
import type { Db } from "../store/db.ts";
import { type Rehearsal, rehearse } from "../store/plans.ts";
import { type ChangeRequest, changeShapeIn } from "../store/services.ts";
import type { Success } from "./answers.ts";
import { refusalOf } from "./change.ts";
import { presentPlan } from "./present-plan.ts";

/** Other fields are refused: a dry run that is misspelt must not be the real thing. */
export const DryRunQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Union([Type.Literal("true"), Type.Literal("false")], {
        description:
          "true: nothing is changed; the answer is 200 with the steps that the change would take and the interruption to be " +
          "expected. What would be refused is refused.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const PLAN_EXAMPLE: Plan = {
  dry_run: true,
  as_of: "2026-11-21T09:30:04.000Z",
  outlook: "settles",
  message: "3 steps to be done; after that, everything that was asked for is in force.",
  steps: [
    {
      kind: "setLimits",
      message: "Setting the CPU and memory of member 0.",
      member: 0,
      interruption: "none",
    },
    {
      kind: "configure",
      message: "Telling the members their settings and how many replicas are synchronous.",
      interruption: "none",
    },
    {
      kind: "restartPostgres",
      message: "Restarting PostgreSQL on member 0 for settings that need it.",
      member: 0,
      interruption: "outage",
    },
    { kind: "wait", message: "Waiting for a primary that takes writes.", interruption: "none" },
  ],
  interruption: {
    kind: "outage",
    seconds: 2,
    message:
      "PostgreSQL restarts in its place: sessions on the endpoint end, and new connections wait there.",
  },
};

/** What a dry run answers. */
export const PLANNED: Success = {
  status: 200,
  description: "Of a dry run: what would be done. Nothing was changed.",
  schema: Plan,
  example: PLAN_EXAMPLE,
};

export function isDryRun({ dry_run }: Static<typeof DryRunQuery>): boolean {
  return dry_run === "true";
}

/** The plan of a change of shape that is not made. Throws what the real one would be refused with. */
export async function planShape(db: Db, change: ChangeRequest): Promise<Plan> {
  return presentRehearsal(await rehearse(db, change, (trx) => changeShapeIn(trx, change)));
}

export function presentRehearsal(rehearsal: Rehearsal): Plan {
  if (rehearsal.kind !== "rehearsed") throw refusalOf(rehearsal);
  return presentPlan(rehearsal.service, true);
}
