import { Type } from "typebox";
import { answers } from "../answers.ts";
import type { Api } from "../context.ts";

const Accepted = Type.Object({ status: Type.Literal("success") });

/** Clients send these on their own; what they say is recorded nowhere. */
export function recordAnalytics(api: Api): void {
  for (const kind of ["identify", "track"] as const) {
    api.post(
      `/analytics/${kind}`,
      {
        config: { access: "read" },
        schema: {
          operationId: `${kind}Analytics`,
          tags: ["Account"],
          summary: "Accept and forget what a client says about its use",
          response: answers(
            {
              status: 200,
              description: "Accepted, recorded nowhere.",
              schema: Accepted,
              example: { status: "success" },
            },
            ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
          ),
        },
      },
      async () => ({ status: "success" as const }),
    );
  }
}
