import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type OutputOption,
  outputOption,
  parseCount,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

interface Options extends OutputOption, WaitOption {
  readonly replicas?: number;
  readonly sync?: number;
}

export function addHa(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "ha", "change how many replicas a service has", [
    "ha orders --replicas 2 --sync 1",
    "ha orders --replicas 0",
  ])
    .option("--replicas <count>", "HA replicas of any kind", parseCount)
    .option("--sync <count>", "how many of them are synchronous: no acknowledged commit is lost", parseCount);
  waitOptions(command)
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const { replicas, sync } = options;
      if (replicas === undefined && sync === undefined)
        throw new UsageError("Say --replicas, --sync, or both.");
      const cli = await open();
      await changeService(cli, idOrName, options, ({ service_id }) =>
        cli.client.setHa(service_id, {
          ...(replicas === undefined ? {} : { replica_count: replicas }),
          ...(sync === undefined ? {} : { sync_replica_count: sync }),
        }),
      );
    });
}
