import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range from which Linux takes ports for outgoing connections. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const TRIES_PER_PORT = 20;

/** Picks at random, so that two installations on one machine rarely choose the same. */
export async function freePorts(
  host: string,
  count: number,
  taken: ReadonlySet<number>,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count && tries < count * TRIES_PER_PORT; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (!taken.has(port) && !found.has(port) && (await isFree(host, port))) found.add(port);
  }
  return [...found];
}

/** Whether nobody listens there at this moment. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
