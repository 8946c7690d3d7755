import type { Command } from "commander";
import { printService } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addGet(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "get", "show a service", ["get orders", "get k3v9x0q2ab -o json"])
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      printService(cli, await findService(cli.client, idOrName), options);
    });
}
