import { Argument, type Command } from "commander";
import type { Environment } from "../../contract/service.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addEnvironment(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "environment", "say what a service is for", ["environment orders PROD"])
    .addArgument(new Argument("<tag>", "what it is for").choices(["DEV", "PROD"]))
    .addOption(outputOption())
    .action(async (idOrName: string, environment: Environment, options: OutputOption) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      const answer = await cli.client.setEnvironment(service_id, { environment });
      print(cli, options, answer, () => answer.message);
    });
}
