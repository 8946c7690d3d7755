/** What was last seen of a service, kept so that the API can plan without asking the platform. */
import { createHash } from "node:crypto";
import type { Trx } from "./db.ts";

export interface Observation {
  readonly at: Date;
  /** As the reconciler saw it. Holds no secret. */
  readonly observed: object;
}

/** Keeps it where it differs from the one before. Returns what the service's row has to tell of it. */
export async function keepObservation(
  trx: Trx,
  service: { readonly serviceId: string; readonly observedDigest?: string | null },
  { at, observed }: Observation,
): Promise<{ readonly observed_at: Date; readonly observed_digest?: string }> {
  const text = JSON.stringify(observed);
  const digest = createHash("sha256").update(text).digest("base64");
  if (digest === service.observedDigest) return { observed_at: at };
  await trx
    .insertInto("observations")
    .values({ service_id: service.serviceId, observed: text })
    .onConflict((conflict) => conflict.column("service_id").doUpdateSet({ observed: text }))
    .execute();
  return { observed_at: at, observed_digest: digest };
}
