/** `howdah replica-set …`: nodes that follow a service and are only read. */
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ReadReplicaSetRecord, ServiceRecord } from "../../client/index.ts";
import { CommandFailed, EXIT, UsageError } from "../failure.ts";
import { follow, print } from "../service/change.ts";
import { findService } from "../service/find-service.ts";
import {
  environmentOption,
  NAME_OR_ID,
  type OutputOption,
  outputOption,
  SERVICE_ARGUMENT,
  type SizeOption,
  sizeFields,
  sizeOptions,
  type WaitOption,
  waitOptions,
} from "../service/options.ts";
import type { OpenServiceCli, ServiceCli } from "../service/service-cli.ts";
import { renderReplicaSets } from "./render-replica-sets.ts";

type ChangeOptions = OutputOption & WaitOption;

export function addReplicaSetCommands(program: Command, open: OpenServiceCli): void {
  const group = program
    .command("replica-set")
    .description("make, change and list read replica sets of a service")
    .addHelpText("after", HELP);
  for (const add of [addList, addCreate, addResize, addPooler, addEnvironment, addDelete]) add(group, open);
}

function addList(group: Command, open: OpenServiceCli): void {
  onService(group, "list", "list the read replica sets of a service")
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      printSets(cli, options, await cli.client.listReadReplicaSets(service_id));
    });
}

function addCreate(group: Command, open: OpenServiceCli): void {
  const command = onService(group, "create", "add a read replica set").argument("<name>", "of the set");
  waitOptions(sizeOptions(command, false))
    .addOption(nodesOption().default(1))
    .addOption(outputOption())
    .action(
      async (idOrName: string, name: string, options: ChangeOptions & SizeOption & { nodes: number }) => {
        const cli = await open();
        const service = await findService(cli.client, idOrName);
        const body = { name, nodes: options.nodes, ...sizeOf(service, options) };
        const made = await cli.client.createReadReplicaSet(service.service_id, body);
        await finish(cli, service, made, options);
      },
    );
}

function addResize(group: Command, open: OpenServiceCli): void {
  const command = onSet(group, "resize", "change size and number of a set's nodes");
  waitOptions(sizeOptions(command, false))
    .addOption(nodesOption())
    .addOption(outputOption())
    .action(
      async (idOrName: string, which: string, options: ChangeOptions & SizeOption & { nodes?: number }) => {
        const nodes = options.nodes === undefined ? {} : { nodes: options.nodes };
        const body = { ...sizeFields(options), ...nodes };
        if (Object.keys(body).length === 0) throw new UsageError("Say --cpu, --memory or --nodes.");
        const cli = await open();
        const { service, set } = await findSet(cli, idOrName, which);
        const changed = await cli.client.resizeReadReplicaSet(idsOf(service, set), body);
        await finish(cli, service, changed, options);
      },
    );
}

function addPooler(group: Command, open: OpenServiceCli): void {
  onSet(group, "pooler", "switch a set's connection pooler")
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .addOption(outputOption())
    .action(async (idOrName: string, which: string, state: "on" | "off", options: OutputOption) => {
      const cli = await open();
      const { service, set } = await findSet(cli, idOrName, which);
      const answer = await (state === "on"
        ? cli.client.enableReadReplicaSetPooler(idsOf(service, set))
        : cli.client.disableReadReplicaSetPooler(idsOf(service, set)));
      print(cli, options, answer, () => answer.message);
    });
}

function addEnvironment(group: Command, open: OpenServiceCli): void {
  onSet(group, "environment", "tag a set as DEV or PROD")
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(outputOption())
    .action(
      async (idOrName: string, which: string, options: OutputOption & { environment: "DEV" | "PROD" }) => {
        const cli = await open();
        const { service, set } = await findSet(cli, idOrName, which);
        const { environment } = options;
        const answer = await cli.client.setReadReplicaSetEnvironment(idsOf(service, set), { environment });
        print(cli, options, answer, () => answer.message);
      },
    );
}

function addDelete(group: Command, open: OpenServiceCli): void {
  waitOptions(onSet(group, "delete", "delete a read replica set; the service notices nothing"))
    .addOption(outputOption())
    .action(async (idOrName: string, which: string, options: ChangeOptions) => {
      const cli = await open();
      const { service, set } = await findSet(cli, idOrName, which);
      const followed = await cli.client.getService(set.id);
      const going = await cli.client.deleteReadReplicaSet(idsOf(service, set));
      if (options.wait) await follow(cli, followed, "GONE", options);
      printSets(cli, options, [going]);
    });
}

/** Waits where that is wanted, and prints the set as it is then. */
async function finish(
  cli: ServiceCli,
  { service_id }: ServiceRecord,
  set: ReadReplicaSetRecord,
  options: ChangeOptions,
): Promise<void> {
  if (!options.wait) return printSets(cli, options, [set]);
  // A set is a service of its own to whoever waits for it.
  await follow(cli, await cli.client.getService(set.id), "READY", options);
  const now = (await cli.client.listReadReplicaSets(service_id)).find(({ id }) => id === set.id);
  printSets(cli, options, [now ?? set]);
}

/** The set that somebody means by its id or by its name. */
async function findSet(
  cli: ServiceCli,
  idOrName: string,
  which: string,
): Promise<{ service: ServiceRecord; set: ReadReplicaSetRecord }> {
  const service = await findService(cli.client, idOrName);
  const sets = await cli.client.listReadReplicaSets(service.service_id);
  const found = sets.filter(({ id, name }) => id === which || name === which);
  const [set, another] = found;
  if (!set)
    throw new CommandFailed(
      EXIT.missing,
      `${service.name} has no read replica set ${JSON.stringify(which)}; howdah replica-set list ${service.service_id} shows all.`,
    );
  if (another)
    throw new UsageError(`${found.length} sets are called ${JSON.stringify(which)}; say which by its id.`);
  return { service, set };
}

function idsOf({ service_id }: ServiceRecord, { id }: ReadReplicaSetRecord) {
  return { serviceId: service_id, setId: id };
}

/** What was asked for; else what each member of the service has. */
function sizeOf({ resources }: ServiceRecord, { cpu, memory }: SizeOption) {
  const { cpu_millis = 500, memory_gbs = 2 } = resources[0]?.spec ?? {};
  if (cpu === undefined && memory === undefined) return { cpu_millis, memory_gbs };
  if (cpu === undefined || memory === undefined)
    throw new UsageError("Say both --cpu and --memory, or neither for the size of the service.");
  return { cpu_millis: parseWhole(cpu), memory_gbs: parseWhole(memory) };
}

function printSets(cli: ServiceCli, options: OutputOption, sets: readonly ReadReplicaSetRecord[]): void {
  print(cli, options, sets, () => renderReplicaSets(sets));
}

function onService(group: Command, name: string, description: string): Command {
  return group.command(name).description(description).argument(`<${SERVICE_ARGUMENT}>`, NAME_OR_ID);
}

function onSet(group: Command, name: string, description: string): Command {
  return onService(group, name, description).argument("<set>", NAME_OR_ID);
}

function nodesOption(): Option {
  return new Option("--nodes <count>", "how many nodes answer").argParser(parseWhole);
}

function parseWhole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number above 0.");
  return Number(text);
}

const HELP = `
A set has an endpoint of its own, which leads each new connection to the node with the fewest. It is only read: logins,
databases and settings are the service's.

Examples:
  howdah replica-set create orders reports --nodes 2
  howdah replica-set resize orders reports --cpu 1000
  howdah replica-set pooler orders reports on
  howdah replica-set delete orders reports`;
