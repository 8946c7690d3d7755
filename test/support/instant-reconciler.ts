/** A stand-in for reconciler and platform: whatever is desired is in force a moment later. */
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll } from "vitest";
import type { Db } from "../../src/store/db.ts";
import { appendEvents } from "../../src/store/events.ts";

export interface InstantReconciler {
  /** What is asked for stays undone once this has resolved. */
  pause(): Promise<void>;
  resume(): void;
}

const POLL_MS = 20;
export const STEP = "Creating member 0.";

/** To be called where a test file begins. */
export function startInstantReconciler(db: Db): InstantReconciler {
  let paused = false;
  let settling: Promise<void> = Promise.resolve();
  const end = new AbortController();
  const done = (async () => {
    while (!end.signal.aborted) {
      // As a pass does: what is told and why, at once.
      if (!paused) {
        settling = db.transaction().execute(settleAll);
        await settling;
      }
      await delay(POLL_MS);
    }
  })();
  afterAll(async () => {
    end.abort();
    await done;
  });
  return {
    async pause() {
      paused = true;
      await settling;
    },
    resume() {
      paused = false;
    },
  };
}

async function settleAll(db: Db): Promise<void> {
  await db
    .updateTable("vpcs")
    .set({ network_id: sql`'network-' || id` })
    .where("network_id", "is", null)
    .execute();
  const settled = await db
    .updateTable("services")
    .set({
      status: sql`case power when 'stopped' then 'PAUSED' else 'READY' end`,
      status_reason: "Everything that was asked for is in force.",
      settled_generation: sql`generation`,
      settled_power: sql`power`,
      hand_over_from: null,
      in_force: sql`jsonb_build_object('settings', '{}'::jsonb, 'passwordVersion', password_version,
        'allowList', to_jsonb(allow_list), 'primary', 0, 'pooler', pooler)
        || case when vpc_id is null then '{}'::jsonb else jsonb_build_object('vpc', jsonb_build_object(
          'vpcId', vpc_id::text,
          'peerings', (select coalesce(jsonb_agg(id::text), '[]') from peerings where vpc_id = services.vpc_id)))
        end`,
    })
    .where(sql<boolean>`settled_generation < generation or in_force is null`)
    .where("presence", "=", "present")
    .returning(["id", "project_id"])
    .execute();
  await appendEvents(
    db,
    settled.map(({ id, project_id }) => ({
      serviceId: id,
      projectId: project_id,
      actor: "howdah",
      type: "service.step",
      message: STEP,
    })),
  );
  await db.deleteFrom("services").where("presence", "=", "absent").execute();
}
