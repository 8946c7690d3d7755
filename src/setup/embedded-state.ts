import path from "node:path";
import type { Home } from "../lib/home.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { Report } from "./progress.ts";

/** PostgreSQL refuses to run as root, and root's home is closed to everybody else; so its data lies outside of it. */
const ROOT_FOLDER = "/var/lib/howdah";

/** Where the state lies that needs no engine: of the simulated platform. */
export function embeddedStateFolder(home: Pick<Home, "folder" | "installationId">): string {
  return process.getuid?.() === 0
    ? path.join(ROOT_FOLDER, home.installationId)
    : path.join(home.folder, "embedded-state");
}

export function startEmbeddedState(home: Home, report: Report): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: path.join(embeddedStateFolder(home), "data"), log: report });
}
