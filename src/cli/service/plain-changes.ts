/** Commands that ask for one thing and need no more words than the service's name. */
import type { Command } from "commander";
import type { Client, Goal, ServiceRecord } from "../../client/index.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type OutputOption,
  outputOption,
  type WaitOption,
  waitOptions,
} from "./options.ts";
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

function plainChange(name: string, about: string, send: Send, until: Goal) {
  return (service: Command, open: OpenServiceCli): void => {
    waitOptions(addServiceCommand(service, name, about, [`${name} orders`]))
      .addOption(outputOption())
      .action(async (idOrName: string, options: OutputOption & WaitOption) => {
        const cli = await open();
        const sendIt = ({ service_id }: ServiceRecord) => send(cli.client, service_id);
        await changeService(cli, idOrName, options, sendIt, until);
      });
  };
}
