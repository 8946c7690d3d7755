import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type DryRunOption,
  dryRunOption,
  type OutputOption,
  outputOption,
  parseCount,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import { rehearse } from "./plan.ts";
import type { OpenServiceCli } from "./service-cli.ts";

interface Options extends OutputOption, WaitOption, DryRunOption {
  readonly replicas?: number;
  readonly sync?: number;
}

export function addHa(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "ha", "change how many replicas a service has", [
    "ha orders --replicas 2 --sync 1",
    "ha orders --replicas 0",
    "ha orders --replicas 1 --dry-run",
  ])
    .option("--replicas <count>", "HA replicas of any kind", parseCount)
    .option("--sync <count>", "how many of them are synchronous: no acknowledged commit is lost", parseCount);
  waitOptions(command)
    .addOption(dryRunOption())
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const { replicas, sync } = options;
      if (replicas === undefined && sync === undefined)
        throw new UsageError("Say --replicas, --sync, or both.");
      const cli = await open();
      const body = {
        ...(replicas === undefined ? {} : { replica_count: replicas }),
        ...(sync === undefined ? {} : { sync_replica_count: sync }),
      };
      if (options.dryRun) return rehearse(cli, idOrName, options, { operation: "setHA", body });
      await changeService(cli, idOrName, options, ({ service_id }) => cli.client.setHa(service_id, body));
    });
}
