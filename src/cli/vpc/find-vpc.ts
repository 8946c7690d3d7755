import type { Client } from "../../client/index.ts";
import type { Vpc } from "../../contract/vpcs.ts";
import { CommandFailed, EXIT, UsageError } from "../failure.ts";

/**
 * The VPC that somebody means by its id or by its name. Throws UsageError where several have that name, and CommandFailed
 * where none has.
 */
export async function findVpc(client: Client, idOrName: string): Promise<Vpc> {
  const all = await client.listVpcs();
  const named = all.filter(({ name }) => name === idOrName);
  const [first, ...others] = all.filter(({ id }) => id === idOrName).concat(named);
  if (!first)
    throw new CommandFailed(
      EXIT.missing,
      `There is no VPC ${JSON.stringify(idOrName)}; howdah vpc list shows all.`,
    );
  if (others.length > 0 && first.id !== idOrName)
    throw new UsageError(
      `${named.length} VPCs are called ${JSON.stringify(idOrName)}. Say which by its id:\n` +
        named.map(({ id, cidr }) => `  ${id}  ${cidr}`).join("\n"),
    );
  return first;
}
