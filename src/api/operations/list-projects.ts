import { Type } from "typebox";
import { Project } from "../../contract/account.ts";
import { answers, SERVICE_EXAMPLE } from "../answers.ts";
import { type Api, callerOf } from "../context.ts";

export function listProjects(api: Api): void {
  api.get(
    "/projects",
    {
      config: { access: "read" },
      schema: {
        operationId: "listProjects",
        tags: ["Projects"],
        summary: "List the projects that the key can see",
        response: answers({
          status: 200,
          description: "A key belongs to one project.",
          schema: Type.Array(Project),
          example: [{ id: SERVICE_EXAMPLE.project_id, name: "default" }],
        }),
      },
    },
    async (request): Promise<Project[]> => {
      const { projectId, projectName } = callerOf(request);
      return [{ id: projectId, name: projectName }];
    },
  );
}
