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
