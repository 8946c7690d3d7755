/** What a dry run tells is what is then done on real containers, step by step. */
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Plan } from "../../src/contract/plan.ts";
import { ServiceEvents } from "../../src/contract/service-events.ts";
import type { Installation } from "../support/installation.ts";
import { openTrial, type Trial } from "../support/trial.ts";

let trial: Trial;
let installation: Installation;

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
});

afterAll(async () => {
  await trial?.dispose();
});

test("the steps of a setHA from 0 to 1, and of a resize after it, are those that were told before", async () => {
  const { service } = await installation.ask("POST", "", { name: "orders" });
  const id = service.service_id;
  await installation.until(id, "READY");
  for (const [operation, body, kind] of [
    ["setHA", { replica_count: 1 }, "none"],
    ["resize", { cpu_millis: "1000" }, "reconnect"],
  ] as const) {
    const rehearsed = await planned("POST", `/${id}/${operation}?dry_run=true`, body);
    expect(rehearsed).toMatchObject({ dry_run: true, outlook: "settles", interruption: { kind } });
    expect(await planned("GET", `/${id}/plan`)).toMatchObject({ outlook: "settled", steps: [] });

    await installation.ask("POST", `/${id}/${operation}`, body);
    await installation.until(id, "READY");
    expect(await stepsDone(id)).toEqual(
      rehearsed.steps.filter(({ kind }) => kind !== "wait").map(({ message }) => message),
    );
  }
});

async function planned(method: string, path: string, body?: unknown): Promise<Plan> {
  const response = await installation.request(method, path, body);
  expect(response.status).toBe(200);
  return Value.Parse(Plan, await response.json());
}

/** Since what was accepted last; what is told once more after a wait counts once. */
async function stepsDone(id: string): Promise<readonly string[]> {
  const told = await (await installation.request("GET", `/${id}/events?limit=500`)).json();
  const { events } = Value.Parse(ServiceEvents, told);
  const since = events.slice(
    0,
    events.findIndex(({ type }) => type.endsWith(".accepted")),
  );
  const steps = since.filter(({ type }) => type === "service.step").map(({ message }) => message);
  return steps.toReversed().filter((message, index, all) => message !== all[index - 1]);
}
