/** Commands that ask for one thing and need no more words than the service's name. */
import type { Command } from "commander";
import type { Client, Goal, ServiceRecord } from "../../client/index.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type DryRunOption,
  dryRunOption,
  type OutputOption,
  outputOption,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import { rehearse } from "./plan.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Send = (client: Client, serviceId: string) => Promise<ServiceRecord>;

export const addStart = plainChange(
  "start",
  "start a stopped service",
  (client, serviceId) => client.startService(serviceId),
  "READY",
);

export const addStop = plainChange(
  "stop",
  "shut a service down; its data, port and password stay",
  (client, serviceId) => client.stopService(serviceId),
  "PAUSED",
);

export const addSwitchover = plainChange(
  "switchover",
  "let a replica take over the lead, as planned work does",
  (client, serviceId) => client.switchover(serviceId),
  "READY",
);

function plainChange(name: "start" | "stop" | "switchover", about: string, send: Send, until: Goal) {
  return (service: Command, open: OpenServiceCli): void => {
    waitOptions(addServiceCommand(service, name, about, [`${name} orders`, `${name} orders --dry-run`]))
      .addOption(dryRunOption())
      .addOption(outputOption())
      .action(async (idOrName: string, options: OutputOption & WaitOption & DryRunOption) => {
        const cli = await open();
        if (options.dryRun) return rehearse(cli, idOrName, options, { operation: name });
        const sendIt = ({ service_id }: ServiceRecord) => send(cli.client, service_id);
        await changeService(cli, idOrName, options, sendIt, until);
      });
  };
}
