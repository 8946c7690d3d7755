import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type DryRunOption,
  dryRunOption,
  type OutputOption,
  outputOption,
  type SizeOption,
  sizeFields,
  sizeOptions,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import { rehearse } from "./plan.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Options = OutputOption & WaitOption & SizeOption & DryRunOption;

export function addResize(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "resize", "change CPU and memory of every member", [
    "resize orders --cpu 1000",
    "resize orders --memory 8",
    "resize orders --memory 8 --dry-run",
  ]);
  waitOptions(sizeOptions(command, false))
    .addOption(dryRunOption())
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      if (options.cpu === undefined && options.memory === undefined)
        throw new UsageError("Say --cpu, --memory, or both.");
      const cli = await open();
      const body = sizeFields(options);
      if (options.dryRun) return rehearse(cli, idOrName, options, { operation: "resize", body });
      await changeService(cli, idOrName, options, ({ service_id }) =>
        cli.client.resizeService(service_id, body),
      );
    });
}
