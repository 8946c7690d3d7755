/**
 * Reads every service's nodes, each ten seconds, and writes what they use into the store. A service that does not answer
 * has no sample then: a gap, and not a zero.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { withDeadline } from "../lib/deadline.ts";
import { createDoorbell } from "../lib/doorbell.ts";
import type { Log } from "../lib/log.ts";
import { createOutage } from "../lib/outage.ts";
import type { NodeUsage, Platform, ServiceIdentity } from "../platforms/platform.ts";
import type { NodeSample } from "../store/metric-samples.ts";
import { valuesOf } from "./rates.ts";

export interface SampledService {
  readonly regionCode: string;
  readonly identity: ServiceIdentity;
}

/** The part of the store that knows samples. */
export interface SampleBook {
  /** All that run, or are meant to. */
  services(): Promise<readonly SampledService[]>;
  write(samples: readonly NodeSample[]): Promise<void>;
  /** Rolls up, and removes what is too old. */
  keep(now: Date): Promise<void>;
}

export interface SamplerOptions {
  readonly book: SampleBook;
  /** By region code. */
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly clock: Clock;
  readonly log: Log;
  /** Left out: 10 s. */
  readonly everyMs?: number;
}

export interface Sampler {
  stop(): Promise<void>;
}

const EVERY_MS = 10_000;
/** So much of the time between two rounds is used to begin readings, so that they come one by one. */
const SPREAD = 0.6;
/** Readings under way at a time; one that has to wait for its turn comes later. */
const CONCURRENCY = 8;
const USAGE_DEADLINE_MS = 3_500;
const KEEP_EVERY_MS = 60_000;
const STOP_DEADLINE_MS = 2_000;

export function startSampler(options: SamplerOptions): Sampler {
  const rounds = new Rounds(options);
  const bell = createDoorbell();
  const stopping = new AbortController();
  const { clock, everyMs = EVERY_MS } = options;
  const run = async () => {
    while (!stopping.signal.aborted) {
      const nowMs = clock.now().getTime();
      await bell.wait(everyMs - (nowMs % everyMs));
      if (!stopping.signal.aborted) await rounds.once(stopping.signal);
    }
  };
  const ended = run();
  return {
    async stop() {
      stopping.abort();
      bell.ring();
      await withDeadline(STOP_DEADLINE_MS, ended).catch(() => undefined);
    },
  };
}

class Rounds {
  readonly #options: SamplerOptions;
  readonly #outage;
  /** The last reading of every node, by service; what was not read in a round is forgotten. */
  #before: ReadonlyMap<string, readonly NodeUsage[]> = new Map();
  #keptAtMs = 0;

  constructor(options: SamplerOptions) {
    this.#options = options;
    this.#outage = createOutage("the state database, for samples,", options.log);
  }

  /** Never rejects. */
  async once(signal: AbortSignal): Promise<void> {
    const { book, clock, everyMs = EVERY_MS } = this.#options;
    const at = new Date(Math.round(clock.now().getTime() / everyMs) * everyMs);
    try {
      const services = await book.services();
      const read = await this.#readAll(services, signal);
      await book.write([...read].flatMap(([serviceId, nodes]) => this.#samples(serviceId, nodes, at)));
      this.#before = read;
      if (at.getTime() - this.#keptAtMs >= KEEP_EVERY_MS) {
        await book.keep(clock.now());
        this.#keptAtMs = at.getTime();
      }
      this.#outage.over();
    } catch (error) {
      this.#outage.failed(error);
    }
  }

  /** By service, without those that do not answer. */
  async #readAll(
    services: readonly SampledService[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly NodeUsage[]>> {
    const { everyMs = EVERY_MS } = this.#options;
    const read = new Map<string, readonly NodeUsage[]>();
    const begun = performance.now();
    const waiting = services.entries();
    const worker = async () => {
      for (const [index, service] of waiting) {
        const dueMs = (index / services.length) * everyMs * SPREAD - (performance.now() - begun);
        if (dueMs > 0) await sleep(dueMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        read.set(service.identity.serviceId, await this.#read(service));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return read;
  }

  async #read({ regionCode, identity }: SampledService): Promise<readonly NodeUsage[]> {
    const { platforms, log } = this.#options;
    const platform = platforms.get(regionCode);
    if (!platform) return [];
    try {
      return await withDeadline(USAGE_DEADLINE_MS, platform.usage(identity));
    } catch (error) {
      log.debug({ err: error, service: identity.serviceId }, "what a service uses could not be read");
      return [];
    }
  }

  #samples(serviceId: string, nodes: readonly NodeUsage[], at: Date): readonly NodeSample[] {
    const before = this.#before.get(serviceId) ?? [];
    return nodes.map((node) => ({
      serviceId,
      node: node.ordinal,
      role: node.role,
      at,
      values: valuesOf(node, before.find(({ ordinal }) => ordinal === node.ordinal) ?? null),
    }));
  }
}
