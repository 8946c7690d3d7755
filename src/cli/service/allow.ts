import { Argument, type Command } from "commander";
import { EVERY_ADDRESS, parseCidr } from "../../contract/cidr.ts";
import { UsageError } from "../failure.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Change = "set" | "add" | "remove";

export function addAllow(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "allow", "say from which addresses clients may connect, or list them", [
    "allow orders",
    "allow orders set 192.0.2.0/24 2001:db8::/32",
    "allow orders add 198.51.100.7",
    "allow orders set everybody",
  ])
    .addArgument(new Argument("[change]", "left out: the list is shown").choices(["set", "add", "remove"]))
    .argument("[ranges...]", "192.0.2.0/24, 2001:db8::/32, one address; for set also everybody or nobody")
    .addOption(outputOption())
    .action(async (idOrName: string, change: Change | undefined, ranges: string[], options: OutputOption) => {
      if (change !== undefined && ranges.length === 0) throw new UsageError(`Say what to ${change}.`);
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      const current = change === "set" ? { cidrs: [] } : await cli.client.getAllowList(service_id);
      const list =
        change === undefined
          ? current
          : await cli.client.setAllowList(service_id, { cidrs: changeList(current.cidrs, change, ranges) });
      print(cli, options, list, () => list.cidrs.join("\n") || "Nobody may connect.");
    });
}

/** Throws UsageError for what is no range, or would change nothing although it seems to. */
export function changeList(current: readonly string[], change: Change, ranges: readonly string[]): string[] {
  switch (change) {
    case "set":
      if (ranges.length === 1 && ranges[0] === "everybody") return [...EVERY_ADDRESS];
      return ranges.length === 1 && ranges[0] === "nobody" ? [] : canonical(ranges);
    case "add":
      if (EVERY_ADDRESS.every((cidr) => current.includes(cidr)))
        throw new UsageError(
          "Every address may connect already. To let in these alone, use set instead of add.",
        );
      return [...new Set([...current, ...canonical(ranges)])];
    case "remove": {
      const removed = canonical(ranges);
      const missing = removed.find((cidr) => !current.includes(cidr));
      if (missing !== undefined)
        throw new UsageError(
          `${missing} is not in the list:\n${current.map((cidr) => `  ${cidr}`).join("\n")}`,
        );
      return current.filter((cidr) => !removed.includes(cidr));
    }
  }
}

function canonical(ranges: readonly string[]): string[] {
  return ranges.map((range) => {
    const choice = parseCidr(range);
    if (choice.kind === "refused") throw new UsageError(choice.message);
    return choice.cidr;
  });
}
