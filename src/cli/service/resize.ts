import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { changeService } from "./change.ts";
import {
  addServiceCommand,
  type OutputOption,
  outputOption,
  type SizeOption,
  sizeFields,
  sizeOptions,
  type WaitOption,
  waitOptions,
} from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Options = OutputOption & WaitOption & SizeOption;

export function addResize(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "resize", "change CPU and memory of every member", [
    "resize orders --cpu 1000",
    "resize orders --memory 8",
  ]);
  waitOptions(sizeOptions(command, false))
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      if (options.cpu === undefined && options.memory === undefined)
        throw new UsageError("Say --cpu, --memory, or both.");
      const cli = await open();
      await changeService(cli, idOrName, options, ({ service_id }) =>
        cli.client.resizeService(service_id, sizeFields(options)),
      );
    });
}
