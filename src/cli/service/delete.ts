import type { Command } from "commander";
import type { ServiceRecord } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { UsageError } from "../failure.ts";
import { follow, print } from "./change.ts";
import { findService } from "./find-service.ts";
import {
  addServiceCommand,
  type OutputOption,
  outputOption,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli, Person } from "./service-cli.ts";

interface Options extends OutputOption, WaitOption {
  readonly yes?: boolean;
}

export function addDelete(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "delete", "delete a service and its data", [
    "delete orders",
    "delete k3v9x0q2ab --yes",
  ]).option("-y, --yes", "do not ask");
  waitOptions(command)
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const service = await findService(cli.client, idOrName);
      if (options.yes !== true) await requireConsent(cli.person, service);
      const accepted = await cli.client.deleteService(service.service_id);
      await cli.passwords.forget(service.service_id);
      if (options.wait) await follow(cli, accepted, "GONE", options);
      const state = options.wait ? "is deleted" : "is being deleted";
      print(cli, options, accepted, () => `${cleanDetail(service.name)} (${service.service_id}) ${state}.`);
    });
}

async function requireConsent(person: Person, { name, service_id }: ServiceRecord): Promise<void> {
  if (!person.present) throw new UsageError("Nobody is there to be asked whether it is meant; say --yes.");
  const called = cleanDetail(name);
  const answer = await person.ask(
    `Deleting ${called} (${service_id}) with all its data. Type its name to go on: `,
  );
  if (cleanDetail(answer) !== called) throw new UsageError("That is not its name; nothing was deleted.");
}
