/** `howdah start`: makes whatever is missing, runs the control plane, and shows where it is. */
import path from "node:path";
import type { ControlPlane } from "./control-plane.ts";
import type { Config } from "./lib/config.ts";
import { HOME_FILES, type Home, openHome } from "./lib/home.ts";
import { createLog, type Log } from "./lib/log.ts";
import type { Platform } from "./platforms/platform.ts";
import { ensureConsole } from "./setup/console.ts";
import { lockHome } from "./setup/control-plane-lock.ts";
import { credentialsFile } from "./setup/credentials-file.ts";
import { portUnavailable, requirePort } from "./setup/port.ts";
import { createProgress, type Progress, type Report } from "./setup/progress.ts";
import { renderScreen } from "./setup/screen.ts";

/** What the control plane stands on. */
interface Ground {
  readonly databaseUrl: string;
  readonly platform: Promise<Platform>;
  readonly regionCode: string;
  /** Gives back what was started for this process alone. */
  release(): Promise<void>;
}

const LOG_FOLDER = "logs";
const STOP_DEADLINE_MS = 5_000;

/** Returns when it was told to stop and has done so. Throws whatever keeps it from starting. */
export async function start(config: Config): Promise<void> {
  const startedAt = performance.now();
  const home = await openHome(config.home);
  const lock = await lockHome(home.folder);
  let ground: Ground | null = null;
  try {
    await requirePort(config.host, config.port);
    // Lines of JSON would scroll the screen away.
    const logFile = process.stderr.isTTY ? path.join(home.folder, HOME_FILES.log) : null;
    const log = createLog({ level: config.logLevel, file: logFile });
    const progress = createProgress({ output: process.stdout, color: config.color });
    // Loaded while the engine is asked.
    const modules = import("./control-plane.ts");
    modules.catch(() => undefined);
    const finishConsole = buildConsole(home, log);

    ground = await (config.platform === "docker"
      ? prepareDocker(config, home, log, progress)
      : prepareSimulated(config, home, progress));
    const { databaseUrl, platform, regionCode } = ground;
    const consoleFolder = await progress.step("Console", finishConsole);
    const controlPlane = await progress.step("Control plane", async () => {
      const { startControlPlane } = await modules;
      try {
        return await startControlPlane({
          config,
          home,
          databaseUrl,
          platform,
          regionCode,
          consoleFolder,
          log,
        });
      } catch (error) {
        throw portUnavailable(error, config.host, config.port) ?? error;
      }
    });
    process.stdout.write(
      renderScreen({
        consoleUrl: consoleFolder === null ? null : controlPlane.consoleUrl,
        apiUrl: controlPlane.credentials.api_url,
        docsUrl: controlPlane.docsUrl,
        projectId: controlPlane.credentials.project_id,
        credentialsFile: credentialsFile(home.folder),
        logFile,
        simulated: config.platform === "simulated",
        startedInMs: performance.now() - startedAt,
      }),
    );
    log.info({ home: home.folder, installation: home.installationId }, "the control plane is up");
    await serveUntilAsked(controlPlane, log);
  } finally {
    await ground?.release();
    await lock.release();
  }
}

/** Begins at once, beside the longer work of a first start. What it answers waits for the end of it. */
function buildConsole(home: Home, log: Log): (report: Report) => Promise<string | null> {
  let report: Report = () => undefined;
  const building = ensureConsole(path.join(home.folder, LOG_FOLDER, "console.log"), (detail) =>
    report(detail),
  ).catch((error: unknown) => {
    // Databases need nobody to look at them.
    log.error({ err: error }, "the console cannot be built");
    return null;
  });
  return async (shown) => {
    report = shown;
    return building;
  };
}

async function prepareDocker(config: Config, home: Home, log: Log, progress: Progress): Promise<Ground> {
  const [{ ensureEngine }, { ensureServiceImage }, { ensureStateDatabase }, { startContainers }] =
    await Promise.all([
      import("./setup/engine.ts"),
      import("./setup/service-image.ts"),
      import("./setup/state-database.ts"),
      import("./setup/down.ts"),
    ]);
  const logFolder = path.join(home.folder, LOG_FOLDER);
  const docker = await progress.step("Container engine", (report) =>
    ensureEngine({ ...config.engine, logFolder }, report),
  );
  const { reference: image } = await progress.step("Service image", (report) =>
    ensureServiceImage(docker, { logFolder }, report),
  );
  const { installationId } = home;
  const labels: Record<string, string> = config.testLabel === null ? {} : { "howdah.test": config.testLabel };

  const platform = import("./platforms/docker/docker-platform.ts").then(({ createDockerPlatform }) =>
    createDockerPlatform({
      docker,
      image,
      installationId,
      labels,
      bindHost: config.host,
      publicHost: config.publicHost,
      home: home.folder,
      logBounds: config.logBounds,
      log: log.child({ part: "docker" }),
    }),
  );
  // Whoever awaits it is told; a failure before that must not end the process.
  platform.catch(() => undefined);
  const databaseUrl =
    config.databaseUrl ??
    (await progress.step("State database", (report) =>
      ensureStateDatabase({ docker, image, installationId, password: home.statePassword, labels }, report),
    ));
  await progress.step("Endpoints", () => startContainers(docker, installationId));
  return { databaseUrl, platform, regionCode: "local", release: async () => undefined };
}

async function prepareSimulated(config: Config, home: Home, progress: Progress): Promise<Ground> {
  const [{ createSimulatedPlatform }, { startEmbeddedState }] = await Promise.all([
    import("./platforms/simulated/simulated-platform.ts"),
    import("./setup/embedded-state.ts"),
  ]);
  const base = { platform: Promise.resolve(createSimulatedPlatform()), regionCode: "simulated" };
  if (config.databaseUrl !== null) {
    return { ...base, databaseUrl: config.databaseUrl, release: async () => undefined };
  }
  const state = await progress.step("State database", (report) => startEmbeddedState(home, report));
  return { ...base, databaseUrl: state.url, release: () => state.stop() };
}

/** The first signal stops cleanly, within a bound; a second one ends the process at once. */
async function serveUntilAsked(controlPlane: ControlPlane, log: Log): Promise<void> {
  const { promise: asked, resolve: ask } = Promise.withResolvers<NodeJS.Signals>();
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) process.exit(130);
    ask(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  const signal = await asked;
  log.info({ signal }, "stopping");
  process.stdout.write("\nStopping the control plane. Databases in containers go on serving.\n");
  setTimeout(() => process.exit(0), STOP_DEADLINE_MS).unref();
  await controlPlane.stop();
  log.info("stopped");
}
