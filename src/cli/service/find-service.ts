import type { Client, ServiceRecord } from "../../client/index.ts";
import { CommandFailed, EXIT, UsageError } from "../failure.ts";

const SERVICE_ID = /^[a-z0-9]{10}$/;

/**
 * The service that somebody means by its id or by its name. Throws UsageError where several have that name, and
 * CommandFailed where none has.
 */
export async function findService(client: Client, idOrName: string): Promise<ServiceRecord> {
  if (SERVICE_ID.test(idOrName)) {
    const found = await client.getService(idOrName).catch(unlessMissing);
    if (found) return found;
  }
  const named = (await client.listServices()).filter(({ name }) => name === idOrName);
  const [first, ...others] = named;
  if (!first)
    throw new CommandFailed(
      EXIT.missing,
      `There is no service ${JSON.stringify(idOrName)}; howdah service list shows all.`,
    );
  if (others.length > 0)
    throw new UsageError(
      `${named.length} services are called ${JSON.stringify(idOrName)}. Say which by its id:\n` +
        named.map((one) => `  ${one.service_id}  ${one.status}, created ${one.created}`).join("\n"),
    );
  return first;
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "NOT_FOUND") return null;
  throw error;
}
