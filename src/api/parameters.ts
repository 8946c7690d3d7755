/** What stands in paths. Any text is accepted here: an id that cannot exist is answered like one that does not. */
import { Type } from "typebox";

export const ProjectParams = Type.Object({
  project_id: Type.String({ description: "The project that the API key belongs to." }),
});

export const WebhookParams = Type.Object({
  ...ProjectParams.properties,
  webhook_id: Type.String({ description: "The webhook." }),
});

export const ServiceParams = Type.Object({
  ...ProjectParams.properties,
  service_id: Type.String({ description: "The service." }),
});

export const ReadReplicaSetParams = Type.Object({
  ...ServiceParams.properties,
  replica_set_id: Type.String({ description: "The read replica set of the service." }),
});

export const VpcParams = Type.Object({
  ...ProjectParams.properties,
  vpc_id: Type.String({ description: "The VPC." }),
});

export const PeeringParams = Type.Object({
  ...VpcParams.properties,
  peering_id: Type.String({ description: "The peering." }),
});
