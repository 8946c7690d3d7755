/** Peerings: other networks of the engine from which the services of a VPC are reached. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Client, PeeringRecord } from "../../client/index.ts";
import { renderColumns } from "../columns.ts";
import { CommandFailed, EXIT } from "../failure.ts";
import { print } from "../service/change.ts";
import { addCommand, type OutputOption, outputOption } from "../service/options.ts";
import type { OpenServiceCli } from "../service/service-cli.ts";
import { findVpc } from "./find-vpc.ts";
import { VPC_ARGUMENT } from "./options.ts";

/** How long a new peering is watched until it is known what becomes of it. */
const KNOWN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 250;

interface PeerOptions extends OutputOption {
  readonly account: string;
  readonly region?: string;
}

export function addPeer(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "peer", "let the containers of another network reach the services of a VPC", [
    "peer backend app_default",
  ])
    .argument(...VPC_ARGUMENT)
    .argument("<network>", "the engine's name of the other network, as docker network ls shows it")
    .option("--account <id>", "whose network it is, for your own records", "self")
    .option("--region <code>", "where it is; left out: where the VPC is")
    .addOption(outputOption())
    .action(async (idOrName: string, network: string, { account, region, ...options }: PeerOptions) => {
      const cli = await open();
      const { id, region_code } = await findVpc(cli.client, idOrName);
      const made = await cli.client.createPeering(id, {
        peer_account_id: account,
        peer_region_code: region ?? region_code,
        peer_vpc_id: network,
      });
      const peering = await untilKnown(cli.client, id, made);
      print(cli, options, peering, () => renderPeerings([peering]));
      if (peering.status === "FAILED")
        throw new CommandFailed(EXIT.conflict, "It is kept, and works as soon as that is no longer so.");
    });
}

/** As it is then, or as it is when the time is over. */
async function untilKnown(client: Client, vpcId: string, made: PeeringRecord): Promise<PeeringRecord> {
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  let peering = made;
  while (peering.status === "PENDING" && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    peering = await client.getPeering(vpcId, made.id);
  }
  return peering;
}

export function addPeerings(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "peerings", "list the peerings of a VPC, and whether they work", ["peerings backend"])
    .argument(...VPC_ARGUMENT)
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      const { id } = await findVpc(cli.client, idOrName);
      const peerings = await cli.client.listPeerings(id);
      print(cli, options, peerings, () =>
        peerings.length === 0 ? "It has no peerings; howdah vpc peer makes one." : renderPeerings(peerings),
      );
    });
}

export function addUnpeer(vpc: Command, open: OpenServiceCli): void {
  addCommand(vpc, "unpeer", "delete a peering", ["unpeer backend app_default", "unpeer backend 3"])
    .argument(...VPC_ARGUMENT)
    .argument("<network>", "the other network's name, or the id of the peering")
    .addOption(outputOption())
    .action(async (idOrName: string, which: string, options: OutputOption) => {
      const cli = await open();
      const { id } = await findVpc(cli.client, idOrName);
      const found = (await cli.client.listPeerings(id)).find(
        (peering) => peering.peer_vpc_id === which || peering.id === which,
      );
      if (!found)
        throw new CommandFailed(
          EXIT.missing,
          `It has no peering with ${JSON.stringify(which)}; howdah vpc peerings ${id} shows all.`,
        );
      await cli.client.deletePeering(id, found.id);
      print(cli, options, found, () => `Peering ${found.id} with ${found.peer_vpc_id} is deleted.`);
    });
}

function renderPeerings(peerings: readonly PeeringRecord[]): string {
  return renderColumns(
    ["id", "network", "status", "why"],
    peerings.map(({ id, peer_vpc_id, status, error_message }) => [
      id,
      peer_vpc_id,
      status ?? "",
      error_message ?? "",
    ]),
  );
}
