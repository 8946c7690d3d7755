/** What has to be known of a machine to read its numbers; nothing that names it. */
import { execFile } from "node:child_process";
import { cpus, loadavg, release, totalmem } from "node:os";
import { promisify } from "node:util";
import type Docker from "dockerode";

export interface MachineFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly architecture: string;
  /** Without the part that distributions and clouds add. */
  readonly kernel: string;
  readonly engine: string;
  readonly cgroups: string;
  readonly storageDriver: string;
  readonly node: string;
  /** Of the checkout; with a + where files were changed. */
  readonly commit: string;
  /** Processes that wanted a core in the minute before the bench: what else the machine was busy with. */
  readonly loadBefore: number;
}

const GIT_TIMEOUT_MS = 10_000;
const run = promisify(execFile);

export async function machineFacts(engine: Docker): Promise<MachineFacts> {
  const [version, info] = await Promise.all([engine.version(), engine.info()]);
  const processors = cpus();
  return {
    cpu: processors.at(0)?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    architecture: process.arch,
    kernel: /^\d+(\.\d+)*/.exec(release())?.[0] ?? "unknown",
    engine: `${version.Platform?.Name || "Docker"} ${version.Version}`,
    cgroups: `v${textOf(info, "CgroupVersion", "1")}`,
    storageDriver: textOf(info, "Driver", "unknown"),
    node: process.versions.node,
    commit: await commit(),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** Says which kind of machine, not which one. */
export function machineName({ cores, memoryGib, architecture }: MachineFacts): string {
  return `${architecture}-${cores}-cores-${memoryGib}-gib`;
}

async function commit(): Promise<string> {
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: import.meta.dirname, timeout: GIT_TIMEOUT_MS })).stdout.trim();
  try {
    const [id, changes] = await Promise.all([
      git("rev-parse", "--short", "HEAD"),
      git("status", "--porcelain"),
    ]);
    return changes === "" ? id : `${id}+`;
  } catch {
    return "not a checkout";
  }
}

function textOf(facts: unknown, name: string, otherwise: string): string {
  if (typeof facts !== "object" || facts === null) return otherwise;
  const [, value] = Object.entries(facts).find(([key]) => key === name) ?? [];
  return typeof value === "string" && value !== "" ? value : otherwise;
}
