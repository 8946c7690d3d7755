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

type Options = OutputOption & WaitOption;

export function addStart(service: Command, open: OpenServiceCli): void {
  waitOptions(addServiceCommand(service, "start", "start a stopped service", ["start orders"]))
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const send = ({ service_id }: { service_id: string }) => cli.client.startService(service_id);
      await changeService(cli, idOrName, options, send, "READY");
    });
}

export function addStop(service: Command, open: OpenServiceCli): void {
  const about = "shut a service down; its data, port and password stay";
  waitOptions(addServiceCommand(service, "stop", about, ["stop orders"]))
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const send = ({ service_id }: { service_id: string }) => cli.client.stopService(service_id);
      await changeService(cli, idOrName, options, send, "PAUSED");
    });
}
