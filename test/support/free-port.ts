import { randomInt } from "node:crypto";
import { isFree } from "../../src/platforms/docker/ports.ts";

/**
 * Above the last port that browsers and fetch refuse to speak to, which is 10080 (https://fetch.spec.whatwg.org/#port-blocking);
 * below the ports of services, and those that the system gives to outgoing connections.
 */
const FIRST_PORT = 10_081;
const LAST_PORT = 19_999;
const TRIES = 50;

/**
 * A port for a server that comes, goes and comes back. While it is away, one of those for outgoing connections could be
 * taken by any of them; and whoever knocks at it again and again would one day be given it, and talk to himself.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree("127.0.0.1", port)) return port;
  }
  throw new Error("this machine has no free port");
}
