/** A receiver of webhooks on this machine. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { afterAll } from "vitest";

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
}

/** To be called where a test file begins. @param answer left out: 204 */
export async function openReceiver(
  answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end(),
  address = "127.0.0.1",
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: plain(request.headers), body: Buffer.concat(chunks).toString() });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, address, resolve);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the receiver listens nowhere");
  return { url: `http://${address}:${bound.port}/hook`, port: bound.port, received };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
