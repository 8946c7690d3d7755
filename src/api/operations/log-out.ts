import { answers } from "../answers.ts";
import type { Api } from "../context.ts";

export function logOut(api: Api): void {
  api.post(
    "/auth/logout",
    {
      config: { access: "read" },
      schema: {
        operationId: "logOut",
        tags: ["Account"],
        summary: "Log out",
        description: "A key has no session to end, so nothing changes. `howdah keys revoke` ends a key.",
        response: answers({ status: 204, description: "Done." }),
      },
    },
    async (_request, reply) => reply.code(204).send(),
  );
}
