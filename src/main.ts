/** Where every command begins. Each loads what it needs when it runs, so that none pays for the others. */
import type * as Accounts from "./cli/accounts.ts";
import { buildProgram, type Commands } from "./cli/program.ts";
import { type Config, loadConfig } from "./lib/config.ts";
import type { Db } from "./store/db.ts";

const commands: Commands = {
  start: async ({ platform }) => (await import("./start.ts")).start(loadConfig(process.env, { platform })),
  down: async (options) => (await import("./down.ts")).down(loadConfig(), options),
  createKey: (options) => onAccounts(({ addKey }, db) => addKey(db, options)),
  listKeys: (project) => onAccounts(({ showKeys }, db) => showKeys(db, project, new Date())),
  revokeKey: (publicKey) => onAccounts(({ removeKey }, db) => removeKey(db, publicKey)),
  createProject: (name) => onAccounts(({ addProject }, db) => addProject(db, name)),
  listProjects: () => onAccounts(({ showProjects }, db) => showProjects(db)),
};

async function onAccounts(work: (accounts: typeof Accounts, db: Db) => Promise<string>): Promise<void> {
  const config: Config = loadConfig();
  const [accounts, { withStateDatabase }] = await Promise.all([
    import("./cli/accounts.ts"),
    import("./operator.ts"),
  ]);
  await withStateDatabase(config, (db) => work(accounts, db));
}

/** Errors of ours have names of their own and messages for people; for all others the place matters. */
const DEFECTS: ReadonlySet<string> = new Set(["Error", "TypeError", "RangeError", "ReferenceError"]);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect = DEFECTS.has(error.name) && !("code" in error);
  return isDefect ? (error.stack ?? error.message) : error.message;
}

try {
  await buildProgram(commands).parseAsync();
} catch (error) {
  process.stderr.write(`\nhowdah: ${explain(error)}\n`);
  process.exitCode = 1;
}
// What still hangs on, such as a pass that was given up, must not keep the process.
process.exit();
