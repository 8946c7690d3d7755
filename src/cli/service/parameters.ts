import { Argument, type Command } from "commander";
import type { ParameterRecords } from "../../client/index.ts";
import { renderColumns } from "../columns.ts";
import { UsageError } from "../failure.ts";
import { follow, goalAfter, print } from "./change.ts";
import { findService } from "./find-service.ts";
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

type Change = "set" | "clear";
type Parameter = ParameterRecords["parameters"][number];

interface Options extends OutputOption, WaitOption, DryRunOption {
  readonly changed?: boolean;
}

export function addParameters(service: Command, open: OpenServiceCli): void {
  const command = addServiceCommand(service, "parameters", "change settings of the database, or list them", [
    "parameters orders",
    "parameters orders --changed",
    "parameters orders set work_mem=64MB statement_timeout=30s",
    "parameters orders set max_connections=200 --dry-run",
    "parameters orders clear work_mem",
  ])
    .addArgument(new Argument("[change]", "left out: the settings are listed").choices(["set", "clear"]))
    .argument("[settings...]", "name=value to set, name to clear")
    .option("--changed", "list only those that are not as the size has them");
  waitOptions(command)
    .addOption(dryRunOption())
    .addOption(outputOption())
    .action(async (idOrName: string, change: Change | undefined, settings: string[], options: Options) => {
      const wanted = change === undefined ? null : readSettings(change, settings);
      const cli = await open();
      if (options.dryRun && wanted !== null) {
        const body = { parameters: wanted };
        return rehearse(cli, idOrName, options, { operation: "parameters", body });
      }
      const { client } = cli;
      const service = await findService(client, idOrName);
      if (wanted !== null) {
        await client.changeParameters(service.service_id, { parameters: wanted });
        if (options.wait) await follow(cli, service, goalAfter(service), options);
      }
      const { parameters } = await client.listParameters(service.service_id);
      const shown = parameters.filter(
        ({ name, source }) =>
          (wanted === null || Object.hasOwn(wanted, name)) && (!options.changed || source === "custom"),
      );
      print(cli, options, { parameters: shown }, () => renderParameters(shown));
    });
}

/** Throws UsageError where one cannot be read. */
export function readSettings(change: Change, settings: readonly string[]): Record<string, string | null> {
  if (settings.length === 0) throw new UsageError(`Say what to ${change}.`);
  if (change === "clear") return Object.fromEntries(settings.map((name) => [name, null]));
  return Object.fromEntries(
    settings.map((setting) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`${JSON.stringify(setting)} is no setting; write it such as work_mem=64MB.`);
      return [name, value];
    }),
  );
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "Every setting is as the size has it.";
  return renderColumns(
    ["name", "value", "chosen by", "size's own", "accepted", "restart"],
    parameters.map((one) => [
      one.name,
      one.value ?? one.wanted_value,
      one.source,
      one.size_value,
      acceptedOf(one),
      restartOf(one),
    ]),
  );
}

function acceptedOf({ type, unit, min, max, special, options }: Parameter): string {
  if (options) return options.join(", ");
  if (min === undefined || max === undefined) return type === "bool" ? "on, off" : type;
  const range = `${min} to ${max}${unit !== null && /^\d+$/.test(max) ? ` ${unit}` : ""}`;
  return special === undefined ? range : `${special}, or ${range}`;
}

function restartOf({ restart_due, restart_required }: Parameter): string {
  if (restart_due) return "due";
  return restart_required ? "needed" : "";
}
