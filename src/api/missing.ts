import { ApiError } from "../contract/errors.ts";

/** Ids have this form; what has another exists nowhere, and is not worth a query. */
const ID = /^[a-z0-9]{10}$/;

/** Of what is counted; far more than there will ever be. */
const NUMBER = /^[1-9]\d{0,14}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

export function noSuchProject(): ApiError {
  return new ApiError("NOT_FOUND", "no project with that id exists");
}

export function noSuchService(): ApiError {
  return new ApiError("NOT_FOUND", "no service with that id exists");
}

export function noSuchWebhook(): ApiError {
  return new ApiError("NOT_FOUND", "no webhook with that id exists");
}

/** The id itself, where it can be one. Throws NOT_FOUND. */
export function webhookIdIn(params: { readonly webhook_id: string }): string {
  if (!isId(params.webhook_id)) throw noSuchWebhook();
  return params.webhook_id;
}

/** The id itself, where it can be one. Throws NOT_FOUND. */
export function serviceIdIn(params: { readonly service_id: string }): string {
  if (!isId(params.service_id)) throw noSuchService();
  return params.service_id;
}

export function noSuchVpc(): ApiError {
  return new ApiError("NOT_FOUND", "no VPC with that id exists");
}

export function noSuchPeering(): ApiError {
  return new ApiError("NOT_FOUND", "no peering with that id exists");
}

/** The number that the id of a VPC is. Throws NOT_FOUND. */
export function vpcIdIn(params: { readonly vpc_id: string }): number {
  if (!NUMBER.test(params.vpc_id)) throw noSuchVpc();
  return Number(params.vpc_id);
}

/** The number that the id of a peering is. Throws NOT_FOUND. */
export function peeringIdIn(params: { readonly peering_id: string }): number {
  if (!NUMBER.test(params.peering_id)) throw noSuchPeering();
  return Number(params.peering_id);
}
