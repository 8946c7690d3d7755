/** Why a service is in its status, and what happened to it. */
import { type Static, Type } from "typebox";
import { Condition } from "./conditions.ts";
import { ServiceStatus } from "./service.ts";

export const ServiceEvent = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: "date-time" }),
    type: Type.String({ description: "Such as service.status." }),
    service_id: Type.Optional(Type.String({ description: "Left out where it is about no service." })),
    actor: Type.String({ description: "key:<public key>, or howdah where it acted by itself." }),
    message: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: "What it is about, for programs; its fields follow from the type. Never a secret.",
    }),
  },
  { title: "ServiceEvent" },
);
export type ServiceEvent = Static<typeof ServiceEvent>;

export const ProjectEvents = Type.Object(
  { events: Type.Array(ServiceEvent, { description: "Newest first." }) },
  { title: "ProjectEvents" },
);
export type ProjectEvents = Static<typeof ProjectEvents>;

export const ServiceEvents = Type.Object(
  {
    status: ServiceStatus,
    status_reason: Type.String({ description: "Why the status is what it is, in a sentence." }),
    conditions: Type.Array(Condition),
    events: Type.Array(ServiceEvent, { description: "Newest first." }),
  },
  { title: "ServiceEvents" },
);
export type ServiceEvents = Static<typeof ServiceEvents>;
