/** `howdah service`: which API it asks, and what of this machine it uses. */
import { access } from "node:fs/promises";
import path from "node:path";
import { CommandFailed, EXIT, UsageError } from "./cli/failure.ts";
import { openPasswordFile } from "./cli/passwords/password-file.ts";
import { atTerminal } from "./cli/person.ts";
import type { PsqlSession } from "./cli/psql/session.ts";
import type { ServiceCli } from "./cli/service/service-cli.ts";
import { type Client, createClient } from "./client/index.ts";
import type { Config } from "./lib/config.ts";
import { readInstallationId } from "./lib/home.ts";
import { readCredentialsFile } from "./setup/credentials-file.ts";

/** Which API, and whether it is that of the installation on this machine. */
interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** null: the key's own. */
  readonly projectId: string | null;
  readonly local: boolean;
}

const DEFAULT_API_URL = "http://127.0.0.1:8420/api/v1";
const AUTHORITY_FILE = "authority.crt";

/** Throws UsageError where nothing says which API, and ClientError. */
export async function openServiceCli(config: Config): Promise<ServiceCli> {
  const target = await findTarget(config);
  const authorityFile = path.join(config.home, AUTHORITY_FILE);
  const { stdin, stdout, stderr } = process;
  const passwords = openPasswordFile(config.home);
  return {
    client: await connectTo(target),
    apiUrl: target.baseUrl,
    stdout,
    stderr,
    color: config.color,
    passwords,
    authorityFile: target.local && (await isThere(authorityFile)) ? authorityFile : null,
    vpcNetwork: target.local ? await vpcNetworkOf(config) : null,
    person: atTerminal(stdin, stderr),
    interruptible,
    runPsql: (session, args) => runPsql(config, passwords.file, session, args),
  };
}

async function vpcNetworkOf({ home, platform }: Config): Promise<((vpcId: string) => string) | null> {
  const installationId = await readInstallationId(home);
  if (installationId === null || platform !== "docker") return null;
  const { namesFor } = await import("./platforms/docker/names.ts");
  return namesFor(installationId).vpc;
}

/** For completion: nobody waits longer than this for a list of names. */
export async function listServicesWithin(config: Config, timeoutMs: number) {
  const target = await findTarget(config);
  const signal = AbortSignal.timeout(timeoutMs);
  return (await connectTo(target, signal)).listServices({ signal });
}

async function findTarget({ api, home }: Config): Promise<Target> {
  if (api.key !== null)
    return { baseUrl: api.url ?? DEFAULT_API_URL, apiKey: api.key, projectId: api.projectId, local: false };
  if (api.url !== null || api.projectId !== null) {
    // The key in the home must not be sent to some other place.
    throw new UsageError("HOWDAH_API_URL and HOWDAH_PROJECT_ID need the key of that API, in HOWDAH_API_KEY.");
  }
  const found = await readCredentialsFile(home);
  if (!found)
    throw new UsageError(
      `There is no installation in ${home} whose API could be asked; npm start makes one.\n` +
        "For one elsewhere, set HOWDAH_API_URL and HOWDAH_API_KEY.",
    );
  return { baseUrl: found.api_url, apiKey: found.api_key, projectId: found.project_id, local: true };
}

async function connectTo({ baseUrl, apiKey, projectId }: Target, signal?: AbortSignal): Promise<Client> {
  if (projectId !== null) return createClient({ baseUrl, apiKey, projectId });
  const unknown = createClient({ baseUrl, apiKey, projectId: "" });
  const { api_key } = await unknown.getAuthInfo(signal ? { signal } : {});
  return createClient({ baseUrl, apiKey, projectId: api_key.project.id });
}

async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  // Once: a second Ctrl-C ends the program at once.
  process.once("SIGINT", abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", abort);
  }
}

async function runPsql(
  config: Config,
  passwordFile: string,
  session: PsqlSession,
  args: readonly string[],
): Promise<number> {
  const { findHostPsql, runHostPsql } = await import("./cli/psql/host-psql.ts");
  const major = await findHostPsql();
  if (major !== null) return runHostPsql(session, args, { passwordFile, major });
  const [{ findEngine }, { runContainerPsql }, { LABEL }] = await Promise.all([
    import("./setup/engine.ts"),
    import("./cli/psql/container-psql.ts"),
    import("./platforms/docker/names.ts"),
  ]);
  const docker = await findEngine(config.engine);
  if (!docker)
    throw new CommandFailed(
      EXIT.unavailable,
      "This machine has no psql, and no container engine that could run the one of the service image.\n" +
        "Install it: apt install postgresql-client",
    );
  const installationId = await readInstallationId(config.home);
  const { stdin, stdout, stderr } = process;
  return runContainerPsql(
    {
      docker,
      labels: {
        [LABEL.role]: "psql",
        ...(installationId === null ? {} : { [LABEL.installation]: installationId }),
        ...(config.testLabel === null ? {} : { "howdah.test": config.testLabel }),
      },
      stdin,
      stdout,
      stderr,
    },
    session,
    args,
  );
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
