/** The API's operations on VPCs as functions. */
import { type Static, Type } from "typebox";
import { Message } from "../contract/requests.ts";
import {
  type CreatePeeringBody,
  type CreateVpcBody,
  Peering,
  type PeeringStatus,
  type RenameVpcBody,
  Vpc,
  type VpcIdBody,
} from "../contract/vpcs.ts";
import { Nothing } from "./answers.ts";
import { type CallOptions, READ, servicePath } from "./calls.ts";
import type { OtherWord } from "./client-error.ts";
import type { Send } from "./http.ts";

/** A status more is no reason to understand nothing. */
const PeeringRecord = Type.Object({
  ...Peering.properties,
  status: Type.Optional(Type.Unsafe<PeeringStatus | OtherWord>({ type: "string" })),
});
export type PeeringRecord = Static<typeof PeeringRecord>;

/** Every function throws ClientError, or the reason of its signal. */
export interface VpcClient {
  listVpcs(options?: CallOptions): Promise<readonly Vpc[]>;
  createVpc(body: CreateVpcBody, options?: CallOptions): Promise<Vpc>;
  getVpc(vpcId: string, options?: CallOptions): Promise<Vpc>;
  deleteVpc(vpcId: string, options?: CallOptions): Promise<null>;
  renameVpc(vpcId: string, body: RenameVpcBody, options?: CallOptions): Promise<Vpc>;
  listPeerings(vpcId: string, options?: CallOptions): Promise<readonly PeeringRecord[]>;
  createPeering(vpcId: string, body: CreatePeeringBody, options?: CallOptions): Promise<PeeringRecord>;
  getPeering(vpcId: string, peeringId: string, options?: CallOptions): Promise<PeeringRecord>;
  deletePeering(vpcId: string, peeringId: string, options?: CallOptions): Promise<null>;
  attachToVpc(serviceId: string, body: VpcIdBody, options?: CallOptions): Promise<Message>;
  detachFromVpc(serviceId: string, body: VpcIdBody, options?: CallOptions): Promise<Message>;
}

/** @param project its path, encoded */
export function vpcClient(send: Send, project: string): VpcClient {
  const vpcs = `${project}/vpcs`;
  const at = (vpcId: string) => `${vpcs}/${encodeURIComponent(vpcId)}`;
  const peerings = (vpcId: string) => `${at(vpcId)}/peerings`;
  const peering = (vpcId: string, id: string) => `${peerings(vpcId)}/${encodeURIComponent(id)}`;
  const remove = { method: "DELETE", answer: Nothing } as const;
  return {
    listVpcs: (call) => send({ ...READ, path: vpcs, answer: Type.Array(Vpc), ...call }),
    createVpc: (body, call) => send({ method: "POST", path: vpcs, body, answer: Vpc, ...call }),
    getVpc: (id, call) => send({ ...READ, path: at(id), answer: Vpc, ...call }),
    deleteVpc: (id, call) => send({ ...remove, path: at(id), ...call }),
    renameVpc: (id, body, call) =>
      send({ method: "POST", path: `${at(id)}/rename`, body, answer: Vpc, ...call }),
    listPeerings: (id, call) =>
      send({ ...READ, path: peerings(id), answer: Type.Array(PeeringRecord), ...call }),
    createPeering: (id, body, call) =>
      send({ method: "POST", path: peerings(id), body, answer: PeeringRecord, ...call }),
    getPeering: (vpcId, id, call) =>
      send({ ...READ, path: peering(vpcId, id), answer: PeeringRecord, ...call }),
    deletePeering: (vpcId, id, call) => send({ ...remove, path: peering(vpcId, id), ...call }),
    attachToVpc: (id, body, call) =>
      send({ method: "POST", path: servicePath(project, id, "attachToVPC"), body, answer: Message, ...call }),
    detachFromVpc: (id, body, call) =>
      send({
        method: "POST",
        path: servicePath(project, id, "detachFromVPC"),
        body,
        answer: Message,
        ...call,
      }),
  };
}
