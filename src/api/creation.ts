/** What creating a service and forking one have in common. */
import { createHash } from "node:crypto";
import { Type } from "typebox";
import { ApiError } from "../contract/errors.ts";
import { chooseSize, type DedicatedSize, type Size, type SizeRequest } from "../contract/size.ts";
import { randomSecret } from "../lib/random-secret.ts";
import { scramVerifier } from "../lib/scram.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { CreateOutcome } from "../store/create-service.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";
import { noSuchService } from "./missing.ts";

export const IdempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "Any text. The same key with the same body gives the same answer for 24 hours, initial password included, " +
        "and creates nothing again.",
    }),
  ),
});

/** @param request everything that decides the answer; the order of its fields makes no other request */
export function idempotencyKey(
  headers: { readonly "idempotency-key"?: string },
  request: Readonly<Record<string, unknown>>,
): IdempotencyKey | null {
  const key = headers["idempotency-key"];
  if (key === undefined) return null;
  const fields = Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { key, requestHash: createHash("sha256").update(JSON.stringify(fields)).digest() };
}

/** The size that was asked for; null where none was. Throws what is told to the client where it is not on offer. */
export function askedSize(asked: SizeRequest, sizes: readonly DedicatedSize[]): Size | null {
  const choice = chooseSize(asked, sizes, true);
  switch (choice.kind) {
    case "size":
      return choice.size;
    case "none":
      return null;
    case "refused":
      throw new ApiError("INVALID_REQUEST", choice.message);
  }
}

/** 500/2 where it is on offer, else the smallest there is. */
export function defaultSize(sizes: readonly DedicatedSize[]): Size {
  const usual = sizes.find(({ cpuMillis, memoryGbs }) => cpuMillis === 500 && memoryGbs === 2);
  return usual ?? sizes[0] ?? { kind: "shared" };
}

export async function makeSecrets(
  initialPassword: string,
  parent: ServiceSecrets["parent"],
): Promise<ServiceSecrets> {
  return {
    adminVerifier: await scramVerifier(initialPassword),
    replicationPassword: randomSecret(),
    rewindPassword: randomSecret(),
    monitorPassword: randomSecret(),
    patroniPassword: randomSecret(),
    poolerPassword: randomSecret(),
    poolerKey: randomSecret(),
    parent,
  };
}

/** The record, as text. Throws what is told to the client where nothing was created. */
export function createdResponse(outcome: CreateOutcome): string {
  switch (outcome.kind) {
    case "created":
      return outcome.response;
    case "key-reused":
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", "this Idempotency-Key came with another request before");
    case "parent-gone":
      throw noSuchService();
    case "conflict":
      throw new ApiError("CONFLICT", outcome.message);
    case "unknown-region":
      if (outcome.known.length === 0)
        throw new ApiError("NO_CAPACITY", "no region has said yet what it has; try again in a moment");
      throw new ApiError("INVALID_REQUEST", `region_code must be one of ${outcome.known.join(", ")}`);
    case "no-room":
      throw new ApiError("NO_CAPACITY", outcome.message, { details: outcome.details });
    case "no-port":
      throw new ApiError("NO_CAPACITY", `no endpoint port is free in the region ${outcome.regionCode}`, {
        details: "Ports are looked for all the time; try again in a moment, or delete a service.",
      });
  }
}
