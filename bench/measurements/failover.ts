import type Docker from "dockerode";
import type { Bench, Measurement, Row, Samples } from "../lib/measurement.ts";
import { memberAt, untilTrusted } from "../lib/members.ts";
import { type PlainPatroni, startPlainPatroni } from "../lib/plain-patroni.ts";
import { CHANGE_DEADLINE_MS, type CreatedService, withReadyService } from "../lib/service.ts";
import type { SqlTarget } from "../lib/sql.ts";
import { firstWriteElsewhere, writer } from "../lib/takeover.ts";

const RAW = "bare Patroni with its defaults, container killed";
const TAKEOVER_DEADLINE_MS = 120_000;
/** Long enough for the same, with the longer intervals of the raw limit. */
const RAW_RUNS = 3;

interface Fault {
  readonly title: string;
  readonly targets: Pick<Row, "target">;
  readonly strike: (engine: Docker, container: Docker.Container) => Promise<unknown>;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  killed: {
    title: "container of the primary killed",
    targets: { target: { statistic: "median", atMost: 500 } },
    strike: (_, container) => container.kill(),
  },
  postmaster: {
    title: "postmaster killed inside the container",
    targets: { target: { statistic: "median", atMost: 1_500 } },
    strike: (_, container) => signalInside(container, "KILL", "head -n 1 /data/pg/postmaster.pid"),
  },
  cut: {
    title: "network of the primary cut",
    targets: { target: { statistic: "median", atMost: 3_000 } },
    strike: cutNetwork,
  },
  paused: {
    title: "container of the primary paused",
    targets: { target: { statistic: "median", atMost: 6_000 } },
    strike: (_, container) => container.pause(),
  },
  hung: {
    title: "every process of the primary stopped, of which the engine tells nothing",
    targets: { target: { statistic: "median", atMost: 6_000 } },
    // As process 1 of the container, the init that reaps cannot be stopped from inside.
    strike: (_, container) =>
      signalInside(container, "STOP", "ls /proc | grep -E '^[0-9]+$' | grep -vx -e 1 -e $$"),
  },
};

export const failover: Measurement = {
  name: "failover",
  title: "Failover with one synchronous replica: fault → first write acknowledged through the endpoint",
  rows: Object.entries(FAULTS).map(([name, { title, targets }]) => ({
    title,
    series: name,
    unit: "ms",
    ...targets,
    ...(name === "killed" ? { baseline: { title: RAW, series: "plain" } } : {}),
  })),
  run: async (bench, samples) => {
    await withReadyService(
      bench,
      { name: "failover", cpu_millis: "1000", memory_gbs: "4", replica_count: 1 },
      async (service) => {
        const { api } = bench.controlPlane;
        await api.setHa(service.id, { sync_replica_count: 1 });
        await api.untilReady(service.id, CHANGE_DEADLINE_MS);
        for (let run = 1; run <= bench.runs; run += 1) {
          for (const [name, fault] of Object.entries(FAULTS)) {
            bench.report(`run ${run} of ${bench.runs}, ${fault.title}`);
            samples.add(name, await strikeService(bench, service, fault));
          }
        }
      },
    );
    await measurePlain(bench, samples);
  },
};

async function strikeService(bench: Bench, { id, target }: CreatedService, fault: Fault): Promise<number> {
  const { engine, signal, controlPlane } = bench;
  await untilTrusted(engine, id, signal);
  const fallen = await writer(target);
  const struckAt = performance.now();
  await fault.strike(engine, await memberAt(engine, id, fallen));
  const at = await firstWriteElsewhere(target, fallen, TAKEOVER_DEADLINE_MS, signal);
  await controlPlane.api.untilReady(id, CHANGE_DEADLINE_MS);
  return at - struckAt;
}

async function measurePlain(bench: Bench, samples: Samples): Promise<void> {
  bench.report("bare Patroni begins");
  const plain = await startPlainPatroni(bench);
  try {
    for (let run = 1; run <= Math.min(bench.runs, RAW_RUNS); run += 1) {
      bench.report(`run ${run}, ${RAW}`);
      samples.add("plain", await killPlain(bench, plain));
    }
  } finally {
    await plain.remove();
  }
}

async function killPlain({ signal }: Bench, { target, leader }: PlainPatroni): Promise<number> {
  const container = await leader();
  const fallen = await writerBehind(target, signal);
  const struckAt = performance.now();
  await container.kill();
  const at = await firstWriteElsewhere(target, fallen, TAKEOVER_DEADLINE_MS, signal);
  await container.start();
  return at - struckAt;
}

/** A proxy that has just begun leads to nobody yet. */
async function writerBehind(target: SqlTarget, signal: AbortSignal): Promise<string> {
  await firstWriteElsewhere(target, "", TAKEOVER_DEADLINE_MS, signal).catch(() => undefined);
  return writer(target);
}

async function cutNetwork(engine: Docker, container: Docker.Container): Promise<void> {
  const [network = ""] = Object.keys((await container.inspect()).NetworkSettings.Networks);
  await engine.getNetwork(network).disconnect({ Container: container.id, Force: true });
}

/** @param processes a shell command that prints their numbers */
async function signalInside(container: Docker.Container, signal: string, processes: string): Promise<void> {
  const exec = await container.exec({ Cmd: ["sh", "-c", `kill -${signal} $(${processes})`] });
  await exec.start({ Detach: true });
}
