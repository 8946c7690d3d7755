import type { Report } from "./progress.ts";
import { CommandFailed, runCommand } from "./run-command.ts";

const UPDATE_TIMEOUT_MS = 5 * 60_000;
const INSTALL_TIMEOUT_MS = 20 * 60_000;
/** Another apt may be at work, such as the machine's own unattended upgrades. */
const LOCK_WAIT = ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3"];

/** Installs packages without their recommendations. Needs root. Throws CommandFailed. */
export async function installPackages(
  packages: readonly string[],
  logFile: string,
  report: Report,
): Promise<void> {
  let updateFailure: CommandFailed | undefined;
  try {
    await runCommand("apt-get", [...LOCK_WAIT, "update"], { report, logFile, deadlineMs: UPDATE_TIMEOUT_MS });
  } catch (error) {
    // One unreachable third-party source fails the whole update, though the packages wanted here may be known.
    if (!(error instanceof CommandFailed)) throw error;
    updateFailure = error;
  }
  try {
    const args = [...LOCK_WAIT, "install", "--yes", "--no-install-recommends", ...packages];
    await runCommand("apt-get", args, { report, logFile, deadlineMs: INSTALL_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof CommandFailed) || updateFailure === undefined) throw error;
    throw new CommandFailed(`${updateFailure.message}\n${error.message}`);
  }
}
