import type { Command } from "commander";
import type { Change, PlanRecord } from "../../client/index.ts";
import { cleanDetail, paint } from "../../lib/progress-line.ts";
import { renderColumns } from "../columns.ts";
import { print, usesColor } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli, ServiceCli } from "./service-cli.ts";

export function addPlan(service: Command, open: OpenServiceCli): void {
  addServiceCommand(
    service,
    "plan",
    "tell what is still to be done, what it waits for, and what clients notice",
    ["plan orders", "plan orders -o json"],
  )
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      printPlan(cli, await cli.client.getPlan(service_id), options);
    });
}

/** Tells what a change would take, in place of making it. */
export async function rehearse(
  cli: ServiceCli,
  idOrName: string,
  options: OutputOption,
  change: Change,
): Promise<void> {
  const { service_id } = await findService(cli.client, idOrName);
  printPlan(cli, await cli.client.dryRun(service_id, change), options);
}

function printPlan(cli: ServiceCli, plan: PlanRecord, options: OutputOption): void {
  print(cli, options, plan, () => renderPlan(plan, usesColor(cli)));
}

const YELLOW = "33";
const RED = "31";
const COLORS: Readonly<Record<string, string>> = { reconnect: YELLOW, outage: RED };

/** The steps in their order, the waits between them, and what matters of it in sentences below. */
export function renderPlan(plan: PlanRecord, color: boolean): string {
  const { steps, waiting_for: waiting, interruption, since } = plan;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["Outlook", plan.message],
    ["Waits", waiting && `${waiting.message} Since ${waiting.since}${waiting.overdue ? ", overdue" : ""}.`],
    ["Under way", since && `since ${since}`],
    ["Clients", interruption?.message],
    ["Seen", plan.as_of],
  ];
  const shown = lines.flatMap(([name, text]) =>
    text === undefined ? [] : [[name, cleanDetail(text)] as const],
  );
  const width = Math.max(...shown.map(([name]) => name.length));
  return [
    ...(steps.length > 0 ? [renderSteps(steps, color), ""] : []),
    ...shown.map(([name, text]) => `${name.padEnd(width)}  ${text}`),
  ].join("\n");
}

function renderSteps(steps: PlanRecord["steps"], color: boolean): string {
  let count = 0;
  const rows = steps.map(({ kind, message, interruption }) => {
    const number = kind === "wait" ? "" : String((count += 1));
    return [number, message, interruption === "none" ? "" : interruption];
  });
  return renderColumns(["", "step", "clients"], rows, (padded, column, text) => {
    const code = column === 2 ? COLORS[text] : undefined;
    return code === undefined ? padded : paint(padded, code, color);
  });
}
