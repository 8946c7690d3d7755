/**
 * The reconciler: takes services that are due, and runs one pass over each. Level-triggered: whatever wakes it, a pass
 * looks at what is wanted and what is there. Killed at any instant it loses nothing but the leases, which expire.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { createDoorbell } from "../lib/doorbell.ts";
import type { Log } from "../lib/log.ts";
import { createOutage } from "../lib/outage.ts";
import type { Platform } from "../platforms/platform.ts";
import type { DueService } from "../store/due-service.ts";
import type { PassResult } from "../store/pass-result.ts";
import type { ReconcileQueue } from "../store/reconcile-queue.ts";
import { isUnavailable } from "../store/unavailable.ts";
import { type Pass, type PassContext, reconcileService } from "./reconcile-service.ts";

export interface ReconcilerOptions {
  readonly queue: ReconcileQueue;
  /** By region code. */
  readonly platforms: ReadonlyMap<string, Platform>;
  /** Calls onDue when a service may have become due, until the signal aborts. */
  readonly listen: (onDue: () => void, signal: AbortSignal) => Promise<void>;
  /** Services worked on at a time. */
  readonly concurrency: number;
  /** How long a claim lasts without being renewed; as the queue was told. */
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export interface Reconciler {
  /** Begins no pass any more, and waits a bounded time for those that are under way. */
  stop(): Promise<void>;
}

/** However quiet it is: the longest time until the queue is asked again. */
const LOOK_EVERY_MS = 1_000;
/** However busy: the shortest, so that a queue which lies about what is due costs no whole core. */
const LOOK_AGAIN_MS = 5;
/** Before a lease runs out by its clock, ours may be ahead of it; nothing is begun in its last second. */
const LEASE_MARGIN_MS = 1_000;
const STOP_DEADLINE_MS = 4_000;

export function startReconciler(options: ReconcilerOptions): Reconciler {
  const loop = new Loop(options);
  const ended = loop.run();
  return {
    async stop() {
      loop.stop();
      const patience = new AbortController();
      const limit = sleep(STOP_DEADLINE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([ended, limit]);
      patience.abort();
    },
  };
}

class Loop {
  readonly #options: ReconcilerOptions;
  readonly #regionCodes: readonly string[];
  readonly #bell = createDoorbell();
  readonly #stopping = new AbortController();
  readonly #outage;
  readonly #running = new Map<string, Promise<void>>();
  /** Until when each claim is surely ours, in the milliseconds of our clock. */
  readonly #heldUntil = new Map<string, number>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#regionCodes = [...options.platforms.keys()];
    this.#outage = createOutage("the state database", options.log);
  }

  stop(): void {
    this.#stopping.abort();
    this.#bell.ring();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const renewing = setInterval(() => void this.#renew(), this.#options.leaseMs / 3);
    const listening = this.#options.listen(() => this.#bell.ring(), signal);
    for (const platform of this.#options.platforms.values()) {
      platform.watch((serviceId) => void this.#makeDue(serviceId), signal);
    }
    while (!signal.aborted) await this.#bell.wait(await this.#claim());
    await Promise.all(this.#running.values());
    clearInterval(renewing);
    await listening;
  }

  /** Begins passes for as many due services as there is room for. Returns how long to sleep. */
  async #claim(): Promise<number> {
    const { queue, concurrency } = this.#options;
    const room = concurrency - this.#running.size;
    // The end of any pass rings.
    if (room === 0) return LOOK_EVERY_MS;
    try {
      const claimedAt = this.#nowMs();
      const due = await queue.claimDue(room, this.#regionCodes);
      for (const service of due) this.#begin(service, claimedAt);
      const nextMs = due.length === room ? LOOK_EVERY_MS : await queue.nextDueInMs(this.#regionCodes);
      this.#outage.over();
      return Math.min(Math.max(nextMs ?? LOOK_EVERY_MS, LOOK_AGAIN_MS), LOOK_EVERY_MS);
    } catch (error) {
      return this.#outage.failed(error);
    }
  }

  #begin(service: DueService, claimedAt: number): void {
    const { serviceId } = service;
    this.#heldUntil.set(serviceId, claimedAt + this.#options.leaseMs);
    // Its lease expired during an outage, yet our own pass is still at it: passes over a service never overlap.
    if (this.#running.has(serviceId)) return;
    const ended = this.#pass(service).finally(() => {
      this.#running.delete(serviceId);
      this.#heldUntil.delete(serviceId);
      this.#bell.ring();
    });
    this.#running.set(serviceId, ended);
  }

  /** Never rejects. */
  async #pass(service: DueService): Promise<void> {
    const { queue, platforms, clock, random = Math.random } = this.#options;
    const log = this.#options.log.child({ service: service.serviceId });
    const platform = platforms.get(service.regionCode);
    if (!platform) return;
    try {
      const mayAct = () => this.#mayAct(service.serviceId);
      const announce: PassContext["announce"] = (claimed, news) => {
        for (const { type, message } of news.events) log.info({ event: type }, message);
        return queue.announce(claimed, news);
      };
      const pass = await reconcileService(service, { platform, clock, random, mayAct, announce });
      if (pass.kind === "finished") logPass(log, service, pass);
      const written = await (pass.kind === "gone"
        ? queue.forget(service)
        : queue.finish(service, pass.kind === "finished" ? pass.result : unchanged(service)));
      if (!written) log.warn("the lease of the service was lost during a pass");
    } catch (error) {
      // Nothing was written: the lease expires, and whoever claims the service next looks at what is really there.
      if (isUnavailable(error)) this.#outage.failed(error);
      else log.error({ err: error }, "a pass broke; it is a defect of Howdah");
    }
  }

  #mayAct(serviceId: string): boolean {
    const heldUntil = this.#heldUntil.get(serviceId) ?? 0;
    return !this.#stopping.signal.aborted && this.#nowMs() < heldUntil - LEASE_MARGIN_MS;
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const renewedAt = this.#nowMs();
    try {
      for (const id of await this.#options.queue.renew(ids)) {
        // One that ran out before may be another's by now; renewing does not bring it back.
        const heldUntil = this.#heldUntil.get(id) ?? 0;
        if (heldUntil > renewedAt) this.#heldUntil.set(id, renewedAt + this.#options.leaseMs);
      }
    } catch (error) {
      this.#outage.failed(error);
    }
  }

  async #makeDue(serviceId: string): Promise<void> {
    try {
      await this.#options.queue.makeDue(serviceId);
      this.#bell.ring();
    } catch (error) {
      this.#outage.failed(error);
    }
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}

/** Gives a claim back as it was. */
function unchanged(service: DueService): PassResult {
  const { status, statusReason, conditions, waiting, attempts } = service;
  return {
    status,
    statusReason,
    conditions,
    inForce: null,
    waiting,
    settledGeneration: null,
    attempts,
    dueInMs: 0,
    withdrawn: null,
    events: [],
  };
}

/** Failures once, as they begin; everything else only for those who want to see it. */
function logPass(
  log: Log,
  service: DueService,
  { result, broken }: Extract<Pass, { kind: "finished" }>,
): void {
  for (const { type, message } of result.events) log.info({ event: type }, message);
  if (broken && service.attempts === 0) log.warn({ err: broken.cause }, broken.why);
  log.debug({ status: result.status, dueInMs: result.dueInMs }, result.statusReason);
}
