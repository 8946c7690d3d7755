import { type Command, InvalidArgumentError } from "commander";
import type { Addon, Environment } from "../../contract/service.ts";
import { type NewServiceOptions, receiveService } from "./new-service.ts";
import {
  addCommand,
  environmentOption,
  outputOption,
  parseCount,
  type SizeOption,
  sizeFields,
  sizeOptions,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

interface Options extends NewServiceOptions, SizeOption {
  readonly addons?: Addon[];
  readonly replicas?: number;
  readonly environment?: Environment;
  readonly region?: string;
  readonly idempotencyKey?: string;
}

export function addCreate(service: Command, open: OpenServiceCli): void {
  const command = addCommand(service, "create", "make a service, and print how to connect to it", [
    "create orders",
    "create orders --cpu 1000 --replicas 2 --environment PROD",
    "create vectors --addons ai --no-wait -o json",
  ])
    .argument("<name>", "1 to 128 characters")
    .option("--addons <list>", "time-series, ai, both with a comma between them, or none", parseAddons)
    .option("--replicas <count>", "HA replicas, all asynchronous; none unless asked for", parseCount)
    .addOption(environmentOption())
    .option("--region <code>", "where; left out: where most room is")
    .option("--no-save-password", "do not keep the password on this machine")
    .option("--idempotency-key <text>", "with the same key and options, nothing is made twice");
  waitOptions(sizeOptions(command, true))
    .addOption(outputOption())
    .action(async (name: string, options: Options) => {
      const { addons, replicas, environment, region, idempotencyKey } = options;
      const cli = await open();
      const accepted = await cli.client.createService(
        {
          name,
          ...sizeFields(options),
          ...(addons === undefined ? {} : { addons }),
          ...(replicas === undefined ? {} : { replica_count: replicas }),
          ...(environment === undefined ? {} : { environment_tag: environment }),
          ...(region === undefined ? {} : { region_code: region }),
        },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      );
      await receiveService(cli, accepted, options);
    });
}

function parseAddons(text: string): Addon[] {
  const words = text === "none" ? [] : text.split(",");
  return words.map((word) => {
    if (word === "time-series" || word === "ai") return word;
    throw new InvalidArgumentError("There are time-series and ai; none means plain PostgreSQL.");
  });
}
