import type { FastifyRequest } from "fastify";
import { actorOf } from "./context.ts";
import { serviceIdIn, vpcIdIn } from "./missing.ts";

/** Which service a request wants to change, and who wants it. */
export interface Target {
  readonly projectId: string;
  readonly serviceId: string;
  readonly actor: string;
}

/** Which read replica set of which service a request wants to change, and who wants it. */
export interface SetTarget extends Target {
  readonly readsFrom: string;
}

/** Throws NOT_FOUND where an id in the path can be none. */
export function setTargetOf(
  request: Pick<FastifyRequest, "caller"> & {
    readonly params: {
      readonly project_id: string;
      readonly service_id: string;
      readonly replica_set_id: string;
    };
  },
): SetTarget {
  const { params } = request;
  return {
    projectId: params.project_id,
    serviceId: serviceIdIn({ service_id: params.replica_set_id }),
    readsFrom: serviceIdIn(params),
    actor: actorOf(request),
  };
}

/** Throws NOT_FOUND where the id in the path can be none. */
export function targetOf(
  request: Pick<FastifyRequest, "caller"> & {
    readonly params: { readonly project_id: string; readonly service_id: string };
  },
): Target {
  return {
    projectId: request.params.project_id,
    serviceId: serviceIdIn(request.params),
    actor: actorOf(request),
  };
}

/** Which VPC a request wants to change, and who wants it. Throws NOT_FOUND where the id in the path can be none. */
export function vpcTargetOf(
  request: Pick<FastifyRequest, "caller"> & {
    readonly params: { readonly project_id: string; readonly vpc_id: string };
  },
) {
  return {
    projectId: request.params.project_id,
    vpcId: vpcIdIn(request.params),
    actor: actorOf(request),
  };
}
