/** How often one may ask: by key, by address without one, and by address for keys that turn out wrong. */
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Credentials } from "../store/keys.ts";
import { fingerprint, readCredentials } from "./credentials.ts";

export interface RateLimit {
  /** Requests in a window, with one key, or from one address without a key. */
  readonly max: number;
  readonly windowMs: number;
}

export const DEFAULT_RATE_LIMIT: RateLimit = { max: 2_000, windowMs: 10_000 };

/** Wrong keys from one address. Without it, a new invented key for every request would never meet a limit. */
const FAILURES: RateLimit = { max: 100, windowMs: 10_000 };

const KNOWN_GOOD_KEYS = 1_000;

/** Each method throws TOO_MANY_REQUESTS where the limit is passed. */
export interface Throttle {
  /** Counts a request. */
  request(request: FastifyRequest): Promise<void>;
  /**
   * Before a key is looked up, or with null something else that may be guessed: refused where too many from this address
   * were wrong, unless this key was right lately.
   */
  beforeTry(request: FastifyRequest, given: Credentials | null): Promise<void>;
  failed(request: FastifyRequest): Promise<void>;
  succeeded(given: Credentials): void;
}

export async function createThrottle(app: FastifyInstance, limit: RateLimit): Promise<Throttle> {
  await app.register(rateLimit, { global: false, timeWindow: FAILURES.windowMs, max: FAILURES.max });
  const failures = app.createRateLimit({ max: FAILURES.max, timeWindow: FAILURES.windowMs });
  const byAddress = app.createRateLimit({ max: limit.max, timeWindow: limit.windowMs });
  const byKey = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.windowMs,
    keyGenerator: ({ headers }) => {
      const given = readCredentials(headers.authorization);
      return given ? fingerprint(given) : "";
    },
  });
  const knownGood = new Set<string>();

  return {
    async request(request) {
      const given = readCredentials(request.headers.authorization);
      refuseExceeded(await (given ? byKey : byAddress)(request));
    },
    async beforeTry(request, given) {
      if (given === null || !knownGood.has(fingerprint(given)))
        refuseExceeded(await failures(request, { increment: false }));
    },
    async failed(request) {
      refuseExceeded(await failures(request));
    },
    succeeded(given) {
      const print = fingerprint(given);
      if (knownGood.has(print)) return;
      const [oldest] = knownGood;
      if (knownGood.size >= KNOWN_GOOD_KEYS && oldest !== undefined) knownGood.delete(oldest);
      knownGood.add(print);
    },
  };
}

type Verdict = Awaited<ReturnType<ReturnType<FastifyInstance["createRateLimit"]>>>;

function refuseExceeded(verdict: Verdict): void {
  if (verdict.isAllowed || !verdict.isExceeded) return;
  throw new ApiError("TOO_MANY_REQUESTS", `more than ${verdict.max} requests came in a short time`, {
    details: `Go on in ${verdict.ttlInSeconds} s.`,
    headers: { "retry-after": String(verdict.ttlInSeconds) },
  });
}
