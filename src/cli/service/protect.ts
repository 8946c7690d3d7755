import { Argument, type Command } from "commander";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addProtect(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "protect", "protect a service against deletion, or show whether it is", [
    "protect orders on",
    "protect orders off",
  ])
    .addArgument(new Argument("[state]", "left out: nothing is changed").choices(["on", "off"]))
    .addOption(outputOption())
    .action(async (idOrName: string, state: "on" | "off" | undefined, options: OutputOption) => {
      const cli = await open();
      const { client } = cli;
      const { service_id } = await findService(client, idOrName);
      const answer = await (state === undefined
        ? client.getDeletionProtection(service_id)
        : client.setDeletionProtection(service_id, { deletion_protection: state === "on" }));
      print(cli, options, answer, () =>
        answer.deletion_protection
          ? "The service is protected against deletion."
          : "The service is not protected.",
      );
    });
}
