import type { Command } from "commander";
import { renderColumns } from "../columns.ts";
import { addExamples } from "../examples.ts";
import { followEvents } from "../follow-events.ts";
import { findService } from "../service/find-service.ts";
import { parseCount } from "../service/options.ts";
import type { OpenServiceCli } from "../service/service-cli.ts";

interface Options {
  readonly follow?: boolean;
  readonly service?: string;
  readonly type?: readonly string[];
  readonly limit: number;
  readonly json?: boolean;
}

const DEFAULT_LIMIT = 20;

export function addProjectEvents(program: Command, open: OpenServiceCli): void {
  addExamples(program.command("events").description("tell what happened in the project, and what happens"), [
    "events",
    "events -f",
    "events -f --service orders --type service.status service.role",
    "events --limit 500 --json",
  ])
    .option("-f, --follow", "go on with each event as it happens, until Ctrl-C")
    .option("--service <service>", "of this service alone, by its name or id")
    .option("--type <types...>", "such as service.status, or service.resize for all that begin with it")
    .option("--limit <count>", "how many of the latest, 1 to 500", parseCount, DEFAULT_LIMIT)
    .option("--json", "a JSON record a line")
    .action(async ({ follow, service, type, limit, json = false }: Options) => {
      const cli = await open();
      const query = {
        ...(service === undefined ? {} : { serviceId: (await findService(cli.client, service)).service_id }),
        ...(type === undefined ? {} : { types: type }),
      };
      if (follow) await followEvents(cli, query, { json, limit, withService: service === undefined });
      const events = (await cli.client.listEvents({ ...query, limit })).toReversed();
      const rows = events.map(({ at, service_id = "-", actor, message }) => [at, service_id, actor, message]);
      const text = json
        ? events.map((event) => JSON.stringify(event)).join("\n")
        : renderColumns(["at", "service", "by", "what"], rows);
      cli.stdout.write(text === "" ? "" : `${text}\n`);
    });
}
