import type { Command } from "commander";
import type { ServiceStory } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { renderColumns } from "../columns.ts";
import { followEvents } from "../follow-events.ts";
import { print, usesColor } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption, parseCount } from "./options.ts";
import { paintStatus } from "./render-service.ts";
import type { OpenServiceCli } from "./service-cli.ts";

interface Options extends OutputOption {
  readonly follow?: boolean;
  readonly limit: number;
}

const DEFAULT_LIMIT = 20;

export function addEvents(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "events", "tell why a service is in its status, and what happened to it", [
    "events orders",
    "events orders --limit 100 -o json",
    "events orders -f",
  ])
    .option("-f, --follow", "go on with each event as it happens, until Ctrl-C; as JSON, a record a line")
    .option("--limit <count>", "how many events at most, 1 to 500", parseCount, DEFAULT_LIMIT)
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      if (options.follow) {
        const form = { json: options.output === "json", limit: options.limit, withService: false };
        await followEvents(cli, { serviceId: service_id }, form);
      }
      const story = await cli.client.getServiceEvents(service_id, { limit: options.limit });
      print(cli, options, story, () => renderStory(story, usesColor(cli)));
    });
}

/** Oldest first: the newest stands where the eye is. */
function renderStory({ status, status_reason, events }: ServiceStory, color: boolean): string {
  const rows = events.map(({ at, actor, message }) => [at, actor, message]).toReversed();
  return [
    renderColumns(["at", "by", "what"], rows),
    "",
    `${paintStatus(status, status, color)}: ${cleanDetail(status_reason)}`,
  ].join("\n");
}
