import { once } from "node:events";
import { createServer } from "node:net";

/** The address that the API was told to listen on cannot be had. */
export class PortUnavailable extends Error {
  override readonly name = "PortUnavailable";
}

/** Asked before the long work of a first start, whose end would be a poor place to learn it. Throws PortUnavailable. */
export async function requirePort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    throw portUnavailable(error, host, port) ?? error;
  } finally {
    server.close();
  }
}

/** What an error of listening means to a person; null for any other error. */
export function portUnavailable(error: unknown, host: string, port: number): PortUnavailable | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  switch (error.code) {
    case "EADDRINUSE":
      return new PortUnavailable(
        `Port ${port} on ${host} is in use by another program.\nChoose another one, such as:\n  HOWDAH_PORT=${port + 1} npm start`,
      );
    case "EACCES":
      return new PortUnavailable(
        `This user may not listen on port ${port}. Choose one above 1023 with HOWDAH_PORT.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new PortUnavailable(`This machine has no address ${host}. Choose another one with HOWDAH_HOST.`);
    default:
      return null;
  }
}
