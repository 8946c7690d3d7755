import { once } from "node:events";
import net from "node:net";
import type { DatabaseAddress } from "../lib/database-address.ts";

/** What a server gives to whoever has logged in, to cancel by. */
export interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

const WITHIN_MS = 2_000;
const CANCEL_REQUEST = 80_877_102;

/**
 * Asks a server to cancel what a backend runs, and returns once it has passed that on. Never fails: a server that cannot
 * be asked runs nothing for long either. It is not encrypted: what it tells is good for this backend alone, and the way
 * does not leave the host.
 */
export async function cancelBackend({ host, port }: DatabaseAddress, key: BackendKey): Promise<void> {
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, key.processID, key.secretKey].forEach((word, index) => {
    request.writeInt32BE(word, index * 4);
  });
  const socket = net.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.on("error", () => undefined);
  socket.setTimeout(WITHIN_MS, () => socket.destroy());
  socket.on("connect", () => socket.write(request));
  // The server answers by hanging up.
  socket.resume();
  await once(socket, "close").catch(() => undefined);
}
