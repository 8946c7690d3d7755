/** Why a service is in its status, and what happened to it. */
import { type Static, Type } from "typebox";
import { Condition } from "./conditions.ts";
import { ServiceStatus } from "./service.ts";

export const ServiceEvent = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: "date-time" }),
    type: Type.String({ description: "Such as service.status." }),
    actor: Type.String({ description: "key:<public key>, or howdah where it acted by itself." }),
    message: Type.String(),
  },
  { title: "ServiceEvent" },
);
export type ServiceEvent = Static<typeof ServiceEvent>;

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
