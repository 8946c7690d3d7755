/** Names to addresses, by DNS alone: not by this machine's own list of hosts, and in none of the threads that it shares. */
import { Resolver } from "node:dns/promises";

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Every address. Throws where there is none. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (found.length > 0) return found;
  const reason: unknown = four.status === "rejected" ? four.reason : null;
  const code = reason instanceof Error && "code" in reason ? ` (${String(reason.code)})` : "";
  throw new Error(`${host} could not be looked up${code}`);
}
