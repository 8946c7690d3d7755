import { AuthInfo } from "../../contract/account.ts";
import { answers, SERVICE_EXAMPLE } from "../answers.ts";
import { type Api, callerOf } from "../context.ts";

/** Keys are issued on the command line, by nobody with an address; clients insist on a valid one. */
const ISSUER = { id: "operator", name: "Operator", email: "operator@howdah.invalid" };

const EXAMPLE_KEY = {
  public_key: "x8k2mvq71c",
  name: "first operator key",
  created: "2026-11-21T09:00:00.000Z",
  role: "operator" as const,
  project: { id: SERVICE_EXAMPLE.project_id, name: "default", plan_type: "self-hosted" },
  issuing_user: ISSUER,
};
const EXAMPLE: AuthInfo = { type: "apiKey", api_key: EXAMPLE_KEY, apiKey: EXAMPLE_KEY };

export function getAuthInfo(api: Api): void {
  api.get(
    "/auth/info",
    {
      config: { access: "read" },
      schema: {
        operationId: "getAuthInfo",
        tags: ["Account"],
        summary: "Tell whose key this is",
        response: answers({
          status: 200,
          description: "The key and its project.",
          schema: AuthInfo,
          example: EXAMPLE,
        }),
      },
    },
    async (request): Promise<AuthInfo> => {
      const caller = callerOf(request);
      const key = {
        public_key: caller.publicKey,
        name: caller.keyName,
        created: caller.keyCreatedAt.toISOString(),
        role: caller.role,
        ...(caller.keyExpiresAt ? { expires_at: caller.keyExpiresAt.toISOString() } : {}),
        project: { id: caller.projectId, name: caller.projectName, plan_type: "self-hosted" },
        issuing_user: ISSUER,
      };
      return { type: "apiKey", api_key: key, apiKey: key };
    },
  );
}
