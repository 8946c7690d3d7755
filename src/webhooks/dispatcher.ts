/**
 * Sends what is due. The store is the queue, so nothing is remembered here but what is under way: killed at any moment,
 * its leases expire and the same is sent again.
 */
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createPacer } from "../lib/pacer.ts";
import type { ReachableAddresses } from "../lib/reachable-addresses.ts";
import type { Db } from "../store/db.ts";
import type { Encryption } from "../store/encryption.ts";
import { isUnavailable } from "../store/unavailable.ts";
import {
  claimDeliveries,
  concludeDelivery,
  type DueDelivery,
  nextDeliveryInMs,
} from "../store/webhook-queue.ts";
import { concludeTry } from "./backoff.ts";
import { type Answer, send } from "./send.ts";

export interface DispatcherOptions {
  readonly db: Db;
  readonly encryption: Encryption;
  readonly reachable: ReachableAddresses;
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "error">;
  /** From 0 up to 1. */
  readonly random?: () => number;
  /** For each try. */
  readonly timeoutMs?: number;
}

export interface Dispatcher {
  /** There may be something to send. */
  poke(): void;
  /** Begins no try any more and breaks off those under way, which are made again later. */
  stop(): Promise<void>;
}

/** Tries under way, in all and of one webhook. Few that wait cost little: all they hold is a socket. */
const MOST_TRIES = 64;
const MOST_TRIES_OF_A_WEBHOOK = 4;
const LOOK_EVERY_MS = 1_000;
/** However busy: the shortest time from one look to the next. */
const LOOK_AGAIN_MS = 20;
const STOP_WITHIN_MS = 2_000;

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const dispatcher = new RunningDispatcher(options);
  dispatcher.poke();
  return dispatcher;
}

class RunningDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<string, number>();
  readonly #tries = new Set<Promise<void>>();
  readonly #pacer = createPacer(() => {
    this.#looking = this.#lookAndPlan();
  });
  #looking: Promise<void> | null = null;
  #poked = false;
  #away = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  poke(): void {
    if (this.#looking) this.#poked = true;
    else this.#pacer.plan(LOOK_AGAIN_MS);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pacer.stop();
    let patience: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, STOP_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled([this.#looking, ...this.#tries]), limit]);
    clearTimeout(patience);
  }

  async #lookAndPlan(): Promise<void> {
    const waitMs = await this.#look();
    this.#looking = null;
    this.#pacer.done();
    this.#pacer.plan(this.#poked ? LOOK_AGAIN_MS : waitMs);
    this.#poked = false;
  }

  /** Begins what there is room for. Never rejects. Returns how long to wait for the next look. */
  async #look(): Promise<number> {
    const { db, encryption } = this.#options;
    const room = MOST_TRIES - this.#tries.size;
    // The end of any try pokes.
    if (room === 0) return LOOK_EVERY_MS;
    try {
      const due = await claimDeliveries(db, encryption, room, MOST_TRIES_OF_A_WEBHOOK, this.#underWay);
      for (const delivery of due) this.#begin(delivery);
      const nextMs = due.length > 0 ? LOOK_AGAIN_MS : await nextDeliveryInMs(db);
      this.#away = false;
      // Where one is due that was not claimed, its webhook has as many under way as it may.
      return Math.min(nextMs === 0 ? LOOK_EVERY_MS : (nextMs ?? LOOK_EVERY_MS), LOOK_EVERY_MS);
    } catch (error) {
      this.#failed(error);
      return LOOK_EVERY_MS;
    }
  }

  #begin(delivery: DueDelivery): void {
    const { webhookId } = delivery;
    this.#underWay.set(webhookId, (this.#underWay.get(webhookId) ?? 0) + 1);
    const ended = this.#try(delivery)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        const left = (this.#underWay.get(webhookId) ?? 1) - 1;
        if (left > 0) this.#underWay.set(webhookId, left);
        else this.#underWay.delete(webhookId);
        this.#tries.delete(ended);
        this.poke();
      });
    this.#tries.add(ended);
  }

  async #try(delivery: DueDelivery): Promise<void> {
    const { db, clock, random = Math.random } = this.#options;
    const startedAt = performance.now();
    const answer = await this.#send(delivery);
    // One that was broken off here tells nothing about its receiver; its lease expires.
    if (answer.error !== null && this.#stopping.signal.aborted) return;
    const conclusion = concludeTry(delivery, answer, clock.now(), random());
    const durationMs = Math.round(performance.now() - startedAt);
    await concludeDelivery(
      db,
      delivery,
      { responseStatus: answer.status, error: answer.error, durationMs },
      conclusion,
    );
  }

  async #send({ url, messageId, body, secrets }: DueDelivery): Promise<Answer> {
    const { reachable, resolve, clock, timeoutMs } = this.#options;
    if (secrets === null)
      return {
        status: null,
        error: "its secret cannot be opened with the master key of this installation",
        retryAfterMs: null,
      };
    return send(
      { url, id: messageId, body, secrets },
      {
        reachable,
        resolve,
        now: () => clock.now(),
        signal: this.#stopping.signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    );
  }

  #failed(error: unknown): void {
    if (this.#away || this.#stopping.signal.aborted) return;
    this.#away = true;
    if (isUnavailable(error)) this.#options.log.warn({ err: error }, "webhooks wait for the state database");
    else this.#options.log.error({ err: error }, "webhooks are not sent; it is a defect of Howdah");
  }
}
