import { SignInLink } from "../../contract/account.ts";
import { ApiError } from "../../contract/errors.ts";
import { createSignInLink as create } from "../../store/sign-in-links.ts";
import { answers, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, callerOf } from "../context.ts";

const EXAMPLE: SignInLink = {
  token: "q3Vn0Zk8sJfT1xUeHcYb5rLmWdGoPaIi7tE2R9uNw4A",
  expires_at: "2026-11-21T09:45:00.000Z",
};

export function createSignInLink(api: Api, { store, audit }: ApiContext): void {
  api.post(
    "/auth/signInLinks",
    {
      // Whoever may only read may sign in to the console too, and only read there.
      config: { access: "read" },
      schema: {
        operationId: "createSignInLink",
        tags: ["Account"],
        summary: "Make a link that signs in to the console once",
        description:
          "For the project and the role of the key that asks. Its token works once, within 15 minutes, as " +
          "`/#/sign-in/{token}` of the console. A key that a link has made cannot make another.",
        response: answers(
          { status: 201, description: "The token, shown this once.", schema: SignInLink, example: EXAMPLE },
          ON_WRITING,
        ),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      audit.begin(request, caller);
      await audit.begun(request);
      // Else a session could be prolonged for ever by whoever got hold of it.
      if (caller.forSession)
        throw new ApiError("FORBIDDEN", "a key that a sign-in link has made cannot make another link", {
          details: "`howdah console` makes one with the key of the command line.",
        });
      const { token, expiresAt } = await create(store.db, caller.publicKey);
      const link: SignInLink = { token, expires_at: expiresAt.toISOString() };
      return reply.code(201).send(link);
    },
  );
}
