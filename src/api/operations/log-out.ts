import { revokeKey } from "../../store/keys.ts";
import { answers } from "../answers.ts";
import { type Api, type ApiContext, callerOf } from "../context.ts";

export function logOut(api: Api, { store, audit }: ApiContext): void {
  api.post(
    "/auth/logout",
    {
      config: { access: "read" },
      schema: {
        operationId: "logOut",
        tags: ["Account"],
        summary: "Log out",
        description:
          "A key that a sign-in link has made is revoked. Any other has no session to end, so nothing changes: " +
          "`howdah keys revoke` ends it.",
        response: answers({ status: 204, description: "Done." }),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      if (caller.forSession) {
        audit.begin(request, caller);
        await audit.begun(request);
        await revokeKey(store.db, caller.publicKey);
      }
      return reply.code(204).send();
    },
  );
}
