import type { Command } from "commander";
import { print, usesColor } from "./change.ts";
import { addCommand, type OutputOption, outputOption } from "./options.ts";
import { renderServices } from "./render-service.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addList(service: Command, open: OpenServiceCli): void {
  addCommand(service, "list", "list services", ["list", "list -o json"])
    .addOption(outputOption())
    .action(async (options: OutputOption) => {
      const cli = await open();
      const services = await cli.client.listServices();
      print(cli, options, services, () => renderServices(services, usesColor(cli)));
    });
}
