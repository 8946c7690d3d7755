/** Where SQL is run from the host: at the members themselves, past the gateway, whose allow-list is about clients' addresses. */
import type { DatabaseAddress } from "../../lib/database-address.ts";
import { type Context, serviceFilters } from "./context.ts";
import { readGatewayState } from "./gateway.ts";
import { LABEL } from "./names.ts";
import { POSTGRES_PORT } from "./patroni-config.ts";

/** As the gateway sees it, so that both lead to the same member. Throws where it leads to none. */
export async function databaseAddress(
  context: Context,
  serviceId: string,
  readsFrom: string | null,
): Promise<DatabaseAddress> {
  const { label } = serviceFilters(context, serviceId);
  const filters = { label: [...label, `${LABEL.role}=gateway`] };
  const [gateway] = await context.docker.listContainers({ filters });
  const network = context.names.network(readsFrom ?? serviceId);
  const address = gateway?.NetworkSettings.Networks[network]?.IPAddress;
  const state = address ? await readGatewayState(address) : null;
  const members = state?.members ?? [];
  const host = members[Math.floor(Math.random() * members.length)];
  if (host === undefined) throw new Error("the gateway leads to no member");
  return { host, port: POSTGRES_PORT, authorityPem: context.authority.certificatePem };
}
