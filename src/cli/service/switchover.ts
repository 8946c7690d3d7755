import type { Command } from "commander";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type OutputOption,
  outputOption,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addSwitchover(service: Command, open: OpenServiceCli): void {
  const about = "let a replica take over the lead, as planned work does";
  waitOptions(addServiceCommand(service, "switchover", about, ["switchover orders"]))
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption & WaitOption) => {
      const cli = await open();
      const send = ({ service_id }: { service_id: string }) => cli.client.switchover(service_id);
      await changeService(cli, idOrName, options, send, "READY");
    });
}
