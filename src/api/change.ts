import { ApiError } from "../contract/errors.ts";
import type { Service } from "../contract/service.ts";
import type { Db } from "../store/db.ts";
import type { DeleteOutcome } from "../store/delete-service.ts";
import type { Service as Row } from "../store/service-row.ts";
import type { ChangeOutcome } from "../store/services.ts";
import { noSuchService } from "./missing.ts";
import { recordOf } from "./record.ts";

/** The record of a service that was changed. Throws what is told to the client where it was not. */
export function presentChange(db: Db, outcome: ChangeOutcome): Promise<Service> {
  return recordOf(db, changedService(outcome));
}

/** The service that was changed, for what is told in another form. Throws as presentChange does. */
export function changedService(outcome: ChangeOutcome): Row {
  if (outcome.kind === "changed") return outcome.service;
  throw refusalOf(outcome);
}

/** What is told to the client of a change that was not made. */
export function refusalOf(outcome: Exclude<ChangeOutcome, { kind: "changed" }>): ApiError {
  switch (outcome.kind) {
    case "missing":
      return noSuchService();
    case "deleting":
      return new ApiError("CONFLICT", "the service is being deleted");
    case "conflict":
      return new ApiError("CONFLICT", outcome.message);
    case "refused":
      return new ApiError("INVALID_REQUEST", outcome.message);
    case "no-room":
      return new ApiError("NO_CAPACITY", outcome.message, { details: outcome.details });
  }
}

/** The service that is being deleted. Throws what is told to the client where it is not. */
export function deletedService(outcome: DeleteOutcome): Row {
  switch (outcome.kind) {
    case "deleting":
      return outcome.service;
    case "missing":
      throw noSuchService();
    case "conflict":
      throw new ApiError("CONFLICT", outcome.message);
    case "protected":
      throw new ApiError("DELETION_PROTECTED", "the service is protected against deletion", {
        details: 'PUT {"deletion_protection": false} to its path followed by /deletionProtection lifts it.',
      });
    case "being-copied":
      throw new ApiError("CONFLICT", `its data is still being copied by ${outcome.forkIds.join(", ")}`, {
        details: "Wait until the fork is READY, or delete the fork.",
      });
  }
}
