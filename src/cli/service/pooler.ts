import { Argument, type Command } from "commander";
import type { ServiceRecord } from "../../client/index.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { keepPassword } from "./new-password.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import { ADMIN_ROLE, connectionString, poolerOf } from "./render-service.ts";
import type { OpenServiceCli, ServiceCli } from "./service-cli.ts";

export function addPooler(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "pooler", "switch the connection pooler, or show where it is", [
    "pooler orders",
    "pooler orders on",
  ])
    .addArgument(new Argument("[state]", "left out: nothing is changed").choices(["on", "off"]))
    .addOption(outputOption())
    .action(async (idOrName: string, state: "on" | "off" | undefined, options: OutputOption) => {
      const cli = await open();
      const { client } = cli;
      const service = await findService(client, idOrName);
      if (state === undefined) return showPooler(cli, service, options);
      const { service_id } = service;
      const answer = await (state === "on"
        ? client.enablePooler(service_id)
        : client.disablePooler(service_id));
      await passwordFollows(cli, service_id);
      print(cli, options, answer, () => answer.message);
    });
}

function showPooler(cli: ServiceCli, service: ServiceRecord, options: OutputOption): void {
  const place = poolerOf(service);
  print(cli, options, service.connection_pooler ?? null, () =>
    place ? connectionString(place) : "The pooler is off; howdah service pooler <service> on switches it on.",
  );
}

/** Where a password is kept, it is kept for every place where the service listens. */
async function passwordFollows(cli: ServiceCli, serviceId: string): Promise<void> {
  const password = await cli.passwords.find(serviceId, ADMIN_ROLE);
  if (password !== null) await keepPassword(cli, await cli.client.getService(serviceId), password, true);
}
