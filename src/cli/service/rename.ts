import type { Command } from "commander";
import { printService } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addRename(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "rename", "give a service another name", ["rename orders orders-2026"])
    .argument("<name>", "1 to 128 characters")
    .addOption(outputOption())
    .action(async (idOrName: string, name: string, options: OutputOption) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      printService(cli, await cli.client.renameService(service_id, { name }), options);
    });
}
