import { spawn } from "node:child_process";
import { access, mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { installPackages } from "./apt-packages.ts";
import type { Report } from "./progress.ts";
import { findProgram, runCommand } from "./run-command.ts";

const PID_FILE = "/var/run/docker.pid";
const SYSTEMD_FOLDER = "/run/systemd/system";
const SYSTEMCTL_TIMEOUT_MS = 120_000;
const LAST_LINES = 8;

/** An engine on its way up. */
export interface StartingEngine {
  hasEnded(): boolean;
  lastWords(): Promise<string>;
}

/** True for root on a machine whose packages come by apt. */
export async function mayInstallPackages(): Promise<boolean> {
  return (
    process.getuid?.() === 0 &&
    (await findProgram("apt-get")) !== undefined &&
    (await exists("/etc/debian_version"))
  );
}

export async function installDocker(logFolder: string, report: Report): Promise<void> {
  const packages = ["docker.io", "iptables", "ca-certificates"];
  // Recommended only, yet where the kernel enforces AppArmor no container starts without its parser.
  if ((await readFile("/sys/module/apparmor/parameters/enabled", "utf8").catch(() => "")).startsWith("Y")) {
    packages.push("apparmor");
  }
  if (!(await cgroupsAreMounted())) packages.push("cgroupfs-mount");
  await installPackages(packages, path.join(logFolder, "install-docker.log"), report);
}

/** Starts an installed engine so that it outlives this process, or finds the one that is starting. */
export async function startDocker(logFolder: string, report: Report): Promise<StartingEngine> {
  await mkdir(logFolder, { recursive: true });
  if (await exists(SYSTEMD_FOLDER)) {
    const logFile = path.join(logFolder, "start-docker.log");
    await runCommand("systemctl", ["start", "docker"], { report, logFile, deadlineMs: SYSTEMCTL_TIMEOUT_MS });
    return { hasEnded: () => false, lastWords: async () => "  journalctl --unit docker  tells more" };
  }
  const logFile = path.join(logFolder, "dockerd.log");
  if (await isRunning()) return { hasEnded: () => false, lastWords: () => lastLines(logFile) };
  if (!(await cgroupsAreMounted())) {
    await runCommand("cgroupfs-mount", [], { report, logFile, deadlineMs: SYSTEMCTL_TIMEOUT_MS });
  }
  return await startDetached(logFile);
}

async function startDetached(logFile: string): Promise<StartingEngine> {
  const program = (await findProgram("dockerd")) ?? "dockerd";
  const log = await open(logFile, "a", 0o600);
  try {
    // A session of its own: neither our end nor a Ctrl-C in our terminal may take the databases with it.
    const daemon = spawn(program, [], { cwd: "/", detached: true, stdio: ["ignore", log.fd, log.fd] });
    let ended = false;
    daemon.once("exit", () => {
      ended = true;
    });
    daemon.once("error", () => {
      ended = true;
    });
    daemon.unref();
    return { hasEnded: () => ended, lastWords: () => lastLines(logFile) };
  } finally {
    await log.close();
  }
}

/** A daemon that was started a moment ago does not answer yet; a second one would only fail over its pid file. */
async function isRunning(): Promise<boolean> {
  const pid = (await readFile(PID_FILE, "utf8").catch(() => "")).trim();
  if (!/^\d+$/.test(pid)) return false;
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  return name.trim() === "dockerd";
}

async function cgroupsAreMounted(): Promise<boolean> {
  if (await exists(SYSTEMD_FOLDER)) return true;
  return /^cgroup2? /m.test(await readFile("/proc/mounts", "utf8").catch(() => ""));
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.trim().split("\n").slice(-LAST_LINES);
  return [...lines.map((line) => `  ${line}`), `All of it: ${file}`].join("\n");
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
