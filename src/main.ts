/** Where every command begins. Each loads what it needs when it runs, so that none pays for the others. */
import path from "node:path";
import type * as Accounts from "./cli/accounts.ts";
import { buildProgram, type Commands } from "./cli/program.ts";
import { runProgram } from "./cli/run.ts";
import { type Config, loadConfig } from "./lib/config.ts";
import type { Db } from "./store/db.ts";

const COMPLETION_TIMEOUT_MS = 1_000;

const commands: Commands = {
  start: async ({ platform }) => (await import("./start.ts")).start(loadConfig(process.env, { platform })),
  down: async (options) => (await import("./down.ts")).down(loadConfig(), options),
  createKey: (options) => onAccounts(({ addKey }, db) => addKey(db, options)),
  listKeys: (project) => onAccounts(({ showKeys }, db) => showKeys(db, project, new Date())),
  revokeKey: (publicKey) => onAccounts(({ removeKey }, db) => removeKey(db, publicKey)),
  createProject: (name) => onAccounts(({ addProject }, db) => addProject(db, name)),
  listProjects: () => onAccounts(({ showProjects }, db) => showProjects(db)),
  openServiceCli: async () => (await import("./service-commands.ts")).openServiceCli(loadConfig()),
  completion: {
    stdout: process.stdout,
    program: path.join(import.meta.dirname, "../bin/howdah.mjs"),
    async listServices() {
      const { listServicesWithin } = await import("./service-commands.ts");
      return listServicesWithin(loadConfig(), COMPLETION_TIMEOUT_MS);
    },
  },
};

async function onAccounts(work: (accounts: typeof Accounts, db: Db) => Promise<string>): Promise<void> {
  const config: Config = loadConfig();
  const [accounts, { withStateDatabase }] = await Promise.all([
    import("./cli/accounts.ts"),
    import("./operator.ts"),
  ]);
  await withStateDatabase(config, (db) => work(accounts, db));
}

// Whoever reads the output may have seen enough, as head has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

// What still hangs on, such as a pass that was given up, must not keep the process.
process.exit(await runProgram(buildProgram(commands), process.argv.slice(2), process.stderr));
