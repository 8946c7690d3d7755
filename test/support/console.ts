/** A console to visit: an installation over simulated databases, for the tests of one file. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { randomId } from "../../src/lib/ids.ts";
import { readCredentialsFile } from "../../src/setup/credentials-file.ts";
import { type Installation, makeInstallation } from "./installation.ts";

export interface SimulatedConsole {
  readonly installation: () => Installation;
  /** Where it is, with a slash at its end. */
  readonly at: () => string;
  readonly apiKey: () => string;
  readonly projectId: () => string;
  readonly client: () => Client;
}

/** To be called where a test file begins. */
export function openSimulatedConsole(environment: Readonly<Record<string, string>> = {}): SimulatedConsole {
  let made: {
    installation: Installation;
    at: string;
    apiKey: string;
    projectId: string;
    client: Client;
  } | null = null;
  const there = () => {
    if (!made) throw new Error("the installation has not been started");
    return made;
  };
  let installation: Installation | null = null;

  beforeAll(async () => {
    installation = await makeInstallation(`console-${randomId()}`, {
      environment: { HOWDAH_PLATFORM: "simulated", ...environment },
    });
    await installation.start();
    const credentials = await readCredentialsFile(installation.home);
    if (!credentials) throw new Error("the installation has no credentials");
    const { api_url: baseUrl, api_key: apiKey, project_id: projectId } = credentials;
    const client = createClient({ baseUrl, apiKey, projectId });
    made = { installation, at: baseUrl.replace(/api\/v1$/, ""), apiKey, projectId, client };
  });
  afterAll(() => installation?.dispose());

  return {
    installation: () => there().installation,
    at: () => there().at,
    apiKey: () => there().apiKey,
    projectId: () => there().projectId,
    client: () => there().client,
  };
}

/** A server that gives the console another address, with a prefix that it takes away. */
export async function serveBehindPrefix(
  at: string,
  prefix: string,
): Promise<{ readonly at: string; close(): void }> {
  const upstream = new URL(at);
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const passed = request(
      { host: upstream.hostname, port: upstream.port, method, headers, path: url.slice(prefix.length) },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const port = portOf(server.address());
  return {
    at: `http://127.0.0.1:${port}${prefix}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
