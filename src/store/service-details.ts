/** What is changed of a service beside its shape: what it is called, how it is protected, and its first password. */
import { type SqlBool, sql, type UpdateObject } from "kysely";
import type { Environment } from "../contract/service.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Db, Trx } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import type { NewEvent } from "./events.ts";
import type { Tables } from "./schema.ts";
import type { Service } from "./service-row.ts";
import { openSecrets, sealSecrets } from "./service-secrets.ts";
import {
  type ChangeOutcome,
  type ChangeRequest,
  getService,
  lockService,
  misplacement,
  NEXT_GENERATION,
  update,
  WAITS_ITS_TURN,
} from "./services.ts";
import { wake, wakeReaders } from "./wake.ts";

type Request = Pick<ChangeRequest, "projectId" | "serviceId" | "readsFrom" | "actor">;

/** Of no concern to the databases: told and in force at once. */
export type Detail =
  | { readonly name: string }
  | { readonly environment: Environment }
  | { readonly deletion_protection: boolean };

type DetailOutcome = Extract<ChangeOutcome, { kind: "changed" | "missing" | "deleting" | "conflict" }>;

export async function changeDetail(
  db: Db,
  request: Request,
  detail: Detail,
  event: { readonly type: string; readonly message: string },
): Promise<DetailOutcome> {
  const meant = sql<SqlBool>`presence = 'present' and read_from is not distinct from ${request.readsFrom ?? null}`;
  const service = await update(db, detail, meant, { ...request, ...event, data: detail });
  if (service) {
    wakeReaders(db);
    return { kind: "changed", service };
  }
  const found = await getService(db, request.projectId, request.serviceId);
  return found ? (misplacement(found, request) ?? { kind: "deleting" }) : { kind: "missing" };
}

/** Throws where they cannot be opened with the master key of this installation. */
export async function readSecrets(
  db: Db,
  encryption: Encryption,
  serviceId: string,
): Promise<ServiceSecrets> {
  const { secrets } = await db
    .selectFrom("services")
    .select("secrets")
    .where("id", "=", serviceId)
    .executeTakeFirstOrThrow();
  const opened = openSecrets(encryption, serviceId, secrets);
  if (!opened) throw new Error("the secrets of the service cannot be opened");
  return opened;
}

/** Keeps the verifier of a new first password; the reconciler brings it into the databases. */
export async function changePassword(
  db: Db,
  encryption: Encryption,
  request: Request,
  adminVerifier: string,
): Promise<DetailOutcome> {
  const { serviceId } = request;
  const change = async (trx: Trx): Promise<DetailOutcome> => {
    const secrets = await readSecrets(trx, encryption, serviceId);
    return changedIn(
      trx,
      {
        secrets: sealSecrets(encryption, serviceId, { ...secrets, adminVerifier }),
        password_version: sql<number>`password_version + 1`,
      },
      { ...request, type: "service.password.accepted", message: "A new password of tsdbadmin was accepted." },
    );
  };
  const outcome = await db.transaction().execute((trx) => lockedIn(trx, request, () => change(trx)));
  if (outcome.kind === "changed") wake(db);
  return outcome;
}

export type HandOverDecision =
  | { readonly kind: "from"; readonly ordinal: number }
  | Extract<ChangeOutcome, { kind: "refused" | "conflict" }>;

/** Asks the member that leads to hand over; where another leads by the time that is done, nothing happens. */
export async function requestHandOver(
  db: Db,
  request: Request,
  decide: (service: Service) => HandOverDecision,
): Promise<ChangeOutcome> {
  const outcome = await db.transaction().execute((trx) => requestHandOverIn(trx, request, decide));
  if (outcome.kind === "changed") wake(db);
  return outcome;
}

/** The same in a transaction of the caller's, who wakes the reconciler after its commit. */
export async function requestHandOverIn(
  trx: Trx,
  request: Request,
  decide: (service: Service) => HandOverDecision,
): Promise<ChangeOutcome> {
  return lockedIn<ChangeOutcome>(trx, request, async (current) => {
    const decision = decide(current);
    if (decision.kind !== "from") return decision;
    return changedIn(
      trx,
      { hand_over_from: decision.ordinal, ...WAITS_ITS_TURN },
      {
        ...request,
        type: "service.switchover.accepted",
        message: `A switchover from member ${decision.ordinal} was accepted.`,
        data: { from: decision.ordinal, status: WAITS_ITS_TURN.status },
      },
    );
  });
}

/** Decides on the service as it is, while nobody else can change it. */
async function lockedIn<Outcome extends ChangeOutcome>(
  trx: Trx,
  request: Request,
  change: (current: Service) => Promise<Outcome>,
): Promise<Outcome | Unchangeable> {
  const current = await lockService(trx, request.projectId, request.serviceId);
  if (!current) return { kind: "missing" };
  const misplaced = misplacement(current, request);
  if (misplaced) return misplaced;
  return current.presence === "absent" ? { kind: "deleting" } : change(current);
}

type Unchangeable = Extract<ChangeOutcome, { kind: "missing" | "deleting" | "conflict" }>;

/** Of a service that is locked: nothing can come between. */
async function changedIn(
  trx: Trx,
  set: UpdateObject<Tables, "services">,
  event: NewEvent,
): Promise<Extract<DetailOutcome, { kind: "changed" | "missing" }>> {
  const service = await update(trx, { ...set, ...NEXT_GENERATION }, sql<SqlBool>`true`, event);
  return service ? { kind: "changed", service } : { kind: "missing" };
}

const LOOK_EVERY_MS = 20;

/**
 * Waits until what was asked for is seen in force. Returns the service as it is then, or as it is when the time is
 * over; null once it is gone.
 */
export async function awaitService(
  db: Db,
  { projectId, serviceId }: Pick<Request, "projectId" | "serviceId">,
  isMet: (service: Service) => boolean,
  timeoutMs: number,
): Promise<Service | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const service = await getService(db, projectId, serviceId);
    if (!service || isMet(service) || performance.now() >= deadline) return service;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
