/** `howdah keys` and `howdah projects`: works on the state database of an installation that is running. */
import { UsageError } from "./cli/failure.ts";
import type { Config } from "./lib/config.ts";
import { openHome, readInstallationId } from "./lib/home.ts";
import { runningControlPlane } from "./setup/control-plane-lock.ts";
import { connect, type Db } from "./store/db.ts";

/** Prints what the work returns. Throws UsageError where there is no state database to work on. */
export async function withStateDatabase(config: Config, work: (db: Db) => Promise<string>): Promise<void> {
  const database = await findDatabase(config);
  const store = connect({ databaseUrl: database.url, applicationName: "howdah cli", poolSize: 1 });
  try {
    process.stdout.write(`${await work(store.db)}\n`);
  } finally {
    await store.close();
    await database.release();
  }
}

async function findDatabase(config: Config): Promise<{ url: string; release(): Promise<void> }> {
  const release = async () => undefined;
  if (config.databaseUrl !== null) return { url: config.databaseUrl, release };
  if ((await readInstallationId(config.home)) === null) {
    throw new UsageError(`There is no installation in ${config.home} yet; npm start makes one.`);
  }
  const home = await openHome(config.home);
  if (config.platform === "simulated") {
    const { startEmbeddedState } = await import("./setup/embedded-state.ts");
    const inUse = (await runningControlPlane(config.home)) !== null;
    const state = await startEmbeddedState(home, () => undefined);
    return { url: state.url, release: inUse ? release : () => state.stop() };
  }
  const [{ findEngine }, { findStateDatabase }] = await Promise.all([
    import("./setup/engine.ts"),
    import("./setup/state-database.ts"),
  ]);
  const docker = await findEngine(config.engine);
  const url =
    docker &&
    (await findStateDatabase({
      docker,
      installationId: home.installationId,
      password: home.statePassword,
    }));
  if (!url) throw new UsageError("The state database does not run; npm start starts it.");
  return { url, release };
}
