/** A console to visit: an installation over simulated databases, for the tests of one file. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, inject } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import type { Role } from "../../src/contract/account.ts";
import { randomId } from "../../src/lib/ids.ts";
import { type Credentials, readCredentialsFile } from "../../src/setup/credentials-file.ts";
import { connect, type Store } from "../../src/store/db.ts";
import { createKey } from "../../src/store/keys.ts";
import { createProject } from "../../src/store/projects.ts";
import { type Installation, makeInstallation } from "./installation.ts";
import { cloneDatabase } from "./postgres.ts";

export interface SimulatedConsole {
  readonly installation: () => Installation;
  /** Where it is, with a slash at its end. */
  readonly at: () => string;
  readonly apiKey: () => string;
  readonly client: () => Client;
  /** Of the first project, or of a new one with that name. */
  newKey(role: Role, project?: string): Promise<string>;
}

interface Made {
  readonly installation: Installation;
  readonly credentials: Credentials;
  readonly client: Client;
  readonly store: Store;
}

/** To be called where a test file begins. */
export function openSimulatedConsole(): SimulatedConsole {
  let made: Made | null = null;
  const undo: (() => Promise<unknown>)[] = [];
  const there = () => {
    if (!made) throw new Error("the installation has not been started");
    return made;
  };

  beforeAll(async () => {
    const database = await cloneDatabase(inject("postgresUrl"), inject("templateDatabase"));
    undo.unshift(() => database.drop());
    const installation = await makeInstallation(`console-${randomId()}`, {
      environment: { HOWDAH_PLATFORM: "simulated", DATABASE_URL: database.url },
    });
    undo.unshift(() => installation.dispose());
    await installation.start();
    const store = connect({ databaseUrl: database.url });
    undo.unshift(() => store.close());
    const credentials = await readCredentialsFile(installation.home);
    if (!credentials) throw new Error("the installation has no credentials");
    const { api_url: baseUrl, api_key: apiKey, project_id: projectId } = credentials;
    made = { installation, credentials, store, client: createClient({ baseUrl, apiKey, projectId }) };
  });
  afterAll(async () => {
    for (const step of undo) await step();
  });

  return {
    installation: () => there().installation,
    at: () => there().credentials.api_url.replace(/api\/v1$/, ""),
    apiKey: () => there().credentials.api_key,
    client: () => there().client,
    async newKey(role, project) {
      const { store, credentials } = there();
      const projectId = project ? (await createProject(store.db, project)).id : credentials.project_id;
      return (await createKey(store.db, { projectId, name: `${role} key`, role })).apiKey;
    },
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
