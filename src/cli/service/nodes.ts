import type { Command } from "commander";
import type { NodeRecord, NodeRecords } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { renderColumns } from "../columns.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { renderValue } from "./metrics.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

export function addNodes(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "nodes", "show who leads, who follows and how far behind", [
    "nodes orders",
    "nodes orders -o json",
  ])
    .addOption(outputOption())
    .action(async (idOrName: string, options: OutputOption) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      const nodes = await cli.client.listNodes(service_id);
      print(cli, options, nodes, () => renderNodes(nodes));
    });
}

function renderNodes({ nodes, read_replica_sets: sets, as_of: seen }: NodeRecords): string {
  if (seen === undefined) return "Nothing was seen of the service yet.";
  const rows = [
    ...nodes.map((node) => renderNode(node, "")),
    ...sets.flatMap((set) => set.nodes.map((node) => renderNode(node, set.name))),
  ];
  const headings = ["node", "state", "role", "follows", "behind", "cpu", "memory", "read by"];
  const columns = sets.length > 0 ? headings : headings.slice(0, -1);
  const table = renderColumns(
    columns,
    rows.map((row) => row.slice(0, columns.length)),
  );
  return `${table}\n\nSeen  ${cleanDetail(seen)}`;
}

function renderNode(node: NodeRecord, set: string): readonly string[] {
  const { lag_bytes: lag, cpu_millis: cpu, memory_gbs: memory } = node;
  return [
    node.name,
    node.state,
    node.role ?? "",
    node.streaming ? (node.synchronous ? "synchronous" : "asynchronous") : "",
    lag === undefined ? "" : renderValue("bytes", lag),
    cpu === undefined ? "" : String(cpu),
    memory === undefined ? "" : `${memory} GiB`,
    set,
  ];
}
