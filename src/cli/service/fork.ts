import { type Command, Option } from "commander";
import type { ForkServiceBody } from "../../contract/requests.ts";
import type { Environment } from "../../contract/service.ts";
import { findService } from "./find-service.ts";
import { type NewServiceOptions, receiveService } from "./new-service.ts";
import {
  addServiceCommand,
  environmentOption,
  outputOption,
  type SizeOption,
  sizeFields,
  sizeOptions,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Strategy = ForkServiceBody["fork_strategy"];
const STRATEGIES: readonly Strategy[] = ["NOW", "LAST_SNAPSHOT", "PITR"];

interface Options extends NewServiceOptions, SizeOption {
  readonly name?: string;
  readonly strategy: Strategy;
  readonly at?: string;
  readonly environment?: Environment;
}

export function addFork(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "fork", "make a new service with the data of this one", [
    "fork orders",
    "fork orders --name orders-test --cpu 500",
  ])
    .option("--name <name>", "of the new service; left out: the parent's, followed by -fork")
    .addOption(
      new Option("--strategy <word>", "which moment of the parent it begins with")
        .choices(STRATEGIES)
        .default("NOW"),
    )
    .option("--at <time>", "the moment, for PITR: 2026-11-21T09:30:00Z")
    .addOption(environmentOption())
    .option("--no-save-password", "do not keep the password on this machine");
  waitOptions(sizeOptions(command, true))
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const parent = await findService(cli.client, idOrName);
      const accepted = await cli.client.forkService(parent.service_id, {
        fork_strategy: options.strategy,
        ...sizeFields(options),
        ...(options.at === undefined ? {} : { target_time: options.at }),
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.environment === undefined ? {} : { environment_tag: options.environment }),
      });
      await receiveService(cli, accepted, options);
    });
}
