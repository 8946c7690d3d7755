import { SignedIn, SignInBody } from "../../contract/account.ts";
import { makerOf, useSignInLink } from "../../store/sign-in-links.ts";
import { answers, ON_A_BODY, SERVICE_EXAMPLE } from "../answers.ts";
import { unauthorized } from "../auth.ts";
import type { Api, ApiContext } from "../context.ts";

const EXAMPLE: SignedIn = {
  api_key: "hdk_Vb3kQ9x0Zr7LmNp2_4TqYw8ZbC1nXsKdRfVgH6jUeMaPo0LiE",
  project: { id: SERVICE_EXAMPLE.project_id, name: "default" },
  role: "admin",
  expires_at: "2026-11-21T21:30:00.000Z",
};

export function signIn(api: Api, { store, audit, throttle }: ApiContext): void {
  api.post(
    "/auth/signIn",
    {
      config: { access: "public" },
      schema: {
        operationId: "signIn",
        tags: ["Account"],
        summary: "Use a sign-in link",
        description:
          "Gives a new API key with the project and the role of the one that has made the link. It works for 12 hours, " +
          "until it is logged out, and no longer than that other key. A link works once.",
        security: [],
        body: SignInBody,
        response: answers(
          { status: 200, description: "A key for this session.", schema: SignedIn, example: EXAMPLE },
          ON_A_BODY,
        ),
      },
    },
    async (request): Promise<SignedIn> => {
      await throttle.beforeTry(request, null);
      const { token } = request.body;
      const maker = await makerOf(store.db, token);
      if (maker) {
        audit.begin(request, maker);
        await audit.begun(request);
      }
      const session = maker && (await useSignInLink(store.db, token, keyName()));
      if (!session) {
        await throttle.failed(request);
        throw unauthorized("this sign-in link was used or has expired", "`howdah console` prints a new one.");
      }
      const { apiKey, project, role, expiresAt } = session;
      return { api_key: apiKey, project, role, expires_at: expiresAt.toISOString() };
    },
  );
}

function keyName(): string {
  return `console, ${new Date().toISOString().slice(0, 10)}`;
}
