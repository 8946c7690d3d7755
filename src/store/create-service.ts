/** The transaction of a create: key, room, port, row, event and wake-up together, or nothing of it. */

import type { Addon, Environment } from "../contract/service.ts";
import { randomId } from "../lib/ids.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Db, Trx } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { eventRow } from "./events.ts";
import { claimKey, type IdempotencyKey, keepResponse } from "./idempotency.ts";
import { type Held, holdForReading } from "./read-replica-sets.ts";
import { lockRoom, regionsByRoom, returnPorts, takePorts } from "./regions.ts";
import { type Service, SHOWN, type Shape, shapeColumns, told } from "./service-row.ts";
import { sealSecrets } from "./service-secrets.ts";
import type { Admit, NoRoom } from "./services.ts";
import { wake } from "./wake.ts";

export interface CreateRequest {
  readonly projectId: string;
  readonly actor: string;
  readonly name: string;
  readonly addons: readonly Addon[];
  readonly environment: Environment;
  readonly shape: Shape;
  /** The service whose data this one begins with; null: it begins empty. */
  readonly forkedFrom: string | null;
  /** The service whose primary its members are to follow; null: it has its own. */
  readonly readsFrom: string | null;
  /** null: the region with the most room. */
  readonly regionCode: string | null;
  readonly secrets: ServiceSecrets;
  readonly endpointHost: (regionCode: string) => string;
  readonly admit: Admit;
  readonly message: string;
  /** What the client is answered; kept, where the request carries an idempotency key. */
  readonly respond: (service: Service) => string;
  readonly idempotencyKey: IdempotencyKey | null;
}

export type CreateOutcome =
  /** `repeated`: this very request was answered before, and nothing was done now. */
  | { readonly kind: "created"; readonly response: string; readonly repeated: boolean }
  | { readonly kind: "key-reused" }
  /** The service to be forked or read from is gone, or about to be. */
  | { readonly kind: "parent-gone" }
  | { readonly kind: "conflict"; readonly message: string }
  | Refusal;

type Refusal =
  | { readonly kind: "unknown-region"; readonly known: readonly string[] }
  | ({ readonly kind: "no-room" } & NoRoom)
  | { readonly kind: "no-port"; readonly regionCode: string };

interface Place {
  readonly kind: "place";
  readonly regionCode: string;
  readonly port: number;
  readonly poolerPort: number;
}

/** Of the primary and of the pooler. */
const PORTS_PER_SERVICE = 2;

export async function createService(
  db: Db,
  encryption: Encryption,
  request: CreateRequest,
): Promise<CreateOutcome> {
  const trx = await db.startTransaction().execute();
  try {
    const outcome = await create(trx, encryption, request);
    // What was refused leaves no trace, not even its idempotency key.
    await (outcome.kind === "created" ? trx.commit() : trx.rollback()).execute();
    if (outcome.kind === "created") wake(db);
    return outcome;
  } catch (error) {
    // The connection may be what broke; then there is nothing left to roll back.
    await trx
      .rollback()
      .execute()
      .catch(() => {});
    throw error;
  }
}

async function create(trx: Trx, encryption: Encryption, request: CreateRequest): Promise<CreateOutcome> {
  const { projectId, idempotencyKey } = request;
  if (idempotencyKey) {
    const claim = await claimKey(trx, encryption, projectId, idempotencyKey);
    if (claim.kind === "reused") return { kind: "key-reused" };
    if (claim.kind === "repeated") return { kind: "created", response: claim.response, repeated: true };
  }
  if (request.forkedFrom !== null && !(await holdParent(trx, request.forkedFrom)))
    return { kind: "parent-gone" };
  const members = 1 + request.shape.replicaCount;
  const held = request.readsFrom === null ? null : await holdForReading(trx, request.readsFrom, members);
  if (held && held.kind !== "held") return held;
  const serviceId = randomId();
  const place = await findPlace(trx, serviceId, request);
  if (place.kind !== "place") return place;
  const service = await insert(trx, encryption, serviceId, place, request, held);
  const response = request.respond(service);
  if (idempotencyKey) await keepResponse(trx, encryption, projectId, idempotencyKey.key, response);
  return { kind: "created", response, repeated: false };
}

/** Keeps the parent from being deleted before the fork is seen to copy from it. */
async function holdParent(trx: Trx, parentId: string): Promise<boolean> {
  const parent = await trx
    .selectFrom("services")
    .select("presence")
    .where("id", "=", parentId)
    .forShare()
    .executeTakeFirst();
  return parent?.presence === "present";
}

/** Tries the regions in the order of their room, so that a full one is no reason to refuse while another has room. */
async function findPlace(trx: Trx, serviceId: string, request: CreateRequest): Promise<Place | Refusal> {
  const candidates =
    request.regionCode === null ? (await regionsByRoom(trx)).map(({ code }) => code) : [request.regionCode];
  let firstRefusal: Refusal | null = null;
  for (const regionCode of candidates) {
    const place = await takePlace(trx, regionCode, serviceId, request);
    if (place?.kind === "place") return place;
    firstRefusal ??= place;
  }
  return (
    firstRefusal ?? { kind: "unknown-region", known: (await regionsByRoom(trx)).map(({ code }) => code) }
  );
}

/**
 * null where there is no such region. The port comes first: the room is locked from when it is looked at until the end of
 * the transaction, and all others wait meanwhile.
 */
async function takePlace(
  trx: Trx,
  regionCode: string,
  serviceId: string,
  { shape, admit }: CreateRequest,
): Promise<Place | Refusal | null> {
  const [port, poolerPort] = await takePorts(trx, regionCode, serviceId, PORTS_PER_SERVICE);
  const room = await lockRoom(trx, regionCode, null);
  if (!room) return null;
  const refusal = admit(room, shape);
  if (refusal === null && port !== undefined && poolerPort !== undefined)
    return { kind: "place", regionCode, port, poolerPort };
  await returnPorts(trx, regionCode, serviceId);
  return refusal ? { kind: "no-room", ...refusal } : { kind: "no-port", regionCode };
}

async function insert(
  trx: Trx,
  encryption: Encryption,
  serviceId: string,
  { regionCode, port, poolerPort }: Place,
  request: CreateRequest,
  held: Extract<Held, { kind: "held" }> | null,
): Promise<Service> {
  const row = {
    id: serviceId,
    project_id: request.projectId,
    name: request.name,
    region_code: regionCode,
    addons: [...request.addons],
    environment: request.environment,
    endpoint_host: request.endpointHost(regionCode),
    endpoint_port: port,
    pooler_port: poolerPort,
    forked_from: request.forkedFrom,
    read_from: request.readsFrom,
    read_place: held?.place ?? null,
    secrets: sealSecrets(encryption, serviceId, request.secrets),
    ...shapeColumns(request.shape),
    ...(held
      ? {
          allow_list: held.inherited.allow_list,
          parameters: JSON.stringify(held.inherited.parameters),
        }
      : {}),
    status: "QUEUED" as const,
    status_reason: "The service was accepted and waits for its turn.",
  };
  const { name, environment, addons, forkedFrom } = request;
  const event = {
    ...request,
    serviceId,
    type: "service.create.accepted",
    data: {
      name,
      region_code: regionCode,
      environment,
      addons,
      forked_from: forkedFrom,
      ...told(request.shape),
      status: row.status,
    },
  };
  return trx
    .with("created", (cte) => cte.insertInto("services").values(row).returning(SHOWN))
    .with("told", (cte) => cte.insertInto("events").values(eventRow(event)))
    .selectFrom("created")
    .select(SHOWN)
    .executeTakeFirstOrThrow();
}
