import { ApiError } from "../contract/errors.ts";
import type { Service } from "../contract/service.ts";
import type { Service as Row } from "../store/service-row.ts";
import type { ChangeOutcome } from "../store/services.ts";
import { noSuchService } from "./missing.ts";
import { presentService } from "./present.ts";

/** The record of a service that was changed. Throws what is told to the client where it was not. */
export function presentChange(outcome: ChangeOutcome): Service {
  return presentService(changedService(outcome));
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
