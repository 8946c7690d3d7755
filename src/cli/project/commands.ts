/** What is about a whole project: `howdah events`, `howdah webhooks`, `howdah audit`. */
import type { Command } from "commander";
import type { OpenServiceCli } from "../service/service-cli.ts";
import { addAudit } from "./audit.ts";
import { addProjectEvents } from "./events.ts";
import { addWebhooks } from "./webhooks.ts";

export function addProjectCommands(program: Command, open: OpenServiceCli): void {
  for (const add of [addProjectEvents, addWebhooks, addAudit]) add(program, open);
}
