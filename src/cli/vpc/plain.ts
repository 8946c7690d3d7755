/** Making, listing, renaming and deleting VPCs. */
import type { Command } from "commander";
import type { Vpc } from "../../contract/vpcs.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { renderColumns } from "../columns.ts";
import { print } from "../service/change.ts";
import { addCommand, type OutputOption, outputOption } from "../service/options.ts";
import type { OpenServiceCli, ServiceCli } from "../service/service-cli.ts";
import { findVpc } from "./find-vpc.ts";
import { VPC_ARGUMENT } from "./options.ts";

export function addCreate(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "create", "make a VPC", ["create backend 10.50.0.0/24"])
    .argument("<name>", "1 to 128 characters")
    .argument("<cidr>", "a private IPv4 range that nothing else uses, /16 to /28")
    .option("--region <code>", "where; left out: the only region there is")
    .addOption(outputOption())
    .action(async (name: string, cidr: string, options: OutputOption & { readonly region?: string }) => {
      const cli = await open();
      const region = options.region === undefined ? {} : { region_code: options.region };
      const made = await cli.client.createVpc({ name, cidr, ...region });
      print(cli, options, made, () => describe(cli, made));
    });
}

function describe({ vpcNetwork }: ServiceCli, { id, name, cidr }: Vpc): string {
  const lines = [`VPC ${id} (${cleanDetail(name)}) with ${cidr} is made.`];
  if (vpcNetwork) lines.push(`Run containers in it: docker run --network ${vpcNetwork(id)} …`);
  return [...lines, `Attach a service to it: howdah vpc attach ${id} <service>`].join("\n");
}

export function addList(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "list", "list VPCs, with the engine's names of their networks", ["list", "list -o json"])
    .addOption(outputOption())
    .action(async (options: OutputOption) => {
      const cli = await open();
      const vpcs = await cli.client.listVpcs();
      print(cli, options, vpcs, () => renderVpcs(cli, vpcs));
    });
}

/** The name of the network is known where the API is this machine's installation. */
function renderVpcs({ vpcNetwork }: ServiceCli, vpcs: readonly Vpc[]): string {
  if (vpcs.length === 0) return "There are no VPCs yet; howdah vpc create <name> <cidr> makes one.";
  return renderColumns(
    ["name", "id", "cidr", "region", ...(vpcNetwork ? ["network"] : [])],
    vpcs.map(({ name, id, cidr, region_code }) => [
      name,
      id,
      cidr,
      region_code,
      ...(vpcNetwork ? [vpcNetwork(id)] : []),
    ]),
  );
}

export function addRename(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "rename", "give a VPC another name", ["rename backend backend-2026"])
    .argument(...VPC_ARGUMENT)
    .argument("<name>", "1 to 128 characters")
    .addOption(outputOption())
    .action(async (idOrName: string, name: string, options: OutputOption) => {
      const cli = await open();
      const { id } = await findVpc(cli.client, idOrName);
      const renamed = await cli.client.renameVpc(id, { name });
      print(cli, options, renamed, () => `VPC ${id} is called ${cleanDetail(renamed.name)} now.`);
    });
}

export function addDelete(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "delete", "delete a VPC to which nothing is attached", ["delete backend"])
    .argument(...VPC_ARGUMENT)
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      const found = await findVpc(cli.client, idOrName);
      await cli.client.deleteVpc(found.id);
      print(cli, options, found, () => `VPC ${found.id} (${cleanDetail(found.name)}) is deleted.`);
    });
}
