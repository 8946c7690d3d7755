import { AuthInfo } from "../../contract/account.ts";
import { answers } from "../answers.ts";
import { type Api, callerOf } from "../context.ts";

/** Keys are issued on the command line, by nobody with an address; clients insist on a valid one. */
const ISSUER = { id: "operator", name: "Operator", email: "operator@howdah.invalid" };

export function getAuthInfo(api: Api): void {
  api.get(
    "/auth/info",
    {
      config: { access: "read" },
      schema: {
        operationId: "getAuthInfo",
        tags: ["Account"],
        summary: "Tell whose key this is",
        response: answers({ status: 200, description: "The key and its project.", schema: AuthInfo }),
      },
    },
    async (request): Promise<AuthInfo> => {
      const caller = callerOf(request);
      const key = {
        public_key: caller.publicKey,
        name: caller.keyName,
        created: caller.keyCreatedAt.toISOString(),
        project: { id: caller.projectId, name: caller.projectName, plan_type: "self-hosted" },
        issuing_user: ISSUER,
      };
      return { type: "apiKey", api_key: key, apiKey: key };
    },
  );
}
