/** One try to deliver: connects to an address that was checked, signs, and reads no more of an answer than it needs. */
import type { LookupAddress, LookupOptions } from "node:dns";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import type { ReachableAddresses } from "../lib/reachable-addresses.ts";

export interface Message {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** Each signs; the newest first. */
  readonly secrets: readonly string[];
}

export interface Answer {
  /** null: there was none. */
  readonly status: number | null;
  /** Why it is not delivered; null: it is. */
  readonly error: string | null;
  /** What the receiver asked for by Retry-After, in milliseconds; null: nothing. */
  readonly retryAfterMs: number | null;
}

export interface SendOptions {
  readonly reachable: ReachableAddresses;
  /** Every address of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly now: () => Date;
  readonly timeoutMs?: number;
  /** Aborted when the process shall end. */
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
/** Nobody reads what receivers say; reading a little lets them end their answer in peace. */
const MOST_READ_BYTES = 4 * 1024;

/** Never throws: a try that fails is an answer too. */
export async function send(message: Message, options: SendOptions): Promise<Answer> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { status, retryAfterMs } = await post(message, options, AbortSignal.any([timeout, options.signal]));
    return { status, error: whyNotDelivered(status), retryAfterMs };
  } catch (error) {
    const why = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : messageOf(error);
    return { status: null, error: why, retryAfterMs: null };
  }
}

async function post(message: Message, options: SendOptions, signal: AbortSignal) {
  const url = new URL(message.url);
  const secure = url.protocol === "https:";
  const mayConnect = (address: string) =>
    secure ? options.reachable.includes(address) : options.reachable.isAllowed(address);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // What is an address already is looked up nowhere.
  if (isIP(host) !== 0 && !mayConnect(host)) throw new Error(forbidden(host, [host]));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const settings: RequestOptions = {
      method: "POST",
      headers: headersOf(message, options.now()),
      // A connection of its own: one that is kept was checked for another time.
      agent: false,
      lookup: checkedLookup(options.resolve, mayConnect),
      signal,
    };
    const outgoing = (secure ? httpsRequest : httpRequest)(url, settings, resolve);
    outgoing.on("error", reject);
    outgoing.end(message.body);
  });
  await readALittle(response);
  return { status: response.statusCode ?? 0, retryAfterMs: retryAfter(response.headers["retry-after"]) };
}

/**
 * What the connection is made to is what was checked: a name that leads elsewhere a moment later changes nothing.
 */
function checkedLookup(
  resolve: SendOptions["resolve"],
  mayConnect: (address: string) => boolean,
): LookupFunction {
  const find = async (host: string): Promise<Found> => {
    try {
      const addresses = await resolve(host);
      const found = addresses.filter(mayConnect).map((address) => ({ address, family: isIP(address) }));
      return found.length > 0 ? { found } : { error: new Error(forbidden(host, addresses)) };
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  const answer = async (
    host: string,
    { all }: LookupOptions,
    callback: Parameters<LookupFunction>[2],
  ): Promise<void> => {
    const result = await find(host);
    if ("error" in result) callback(result.error, "");
    else if (all) callback(null, [...result.found]);
    else callback(null, result.found[0]?.address ?? "", result.found[0]?.family);
  };
  return (host, options, callback) => void answer(host, options, callback);
}

type Found = { readonly found: readonly LookupAddress[] } | { readonly error: Error };

function forbidden(host: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return `${host} has no address`;
  return addresses.includes(host)
    ? `${host} is no address that webhooks may go to`
    : `${host} leads to ${addresses.slice(0, 3).join(", ")}, where webhooks may not go`;
}

function headersOf({ id, body, secrets }: Message, now: Date) {
  return {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Howdah-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  };
}

async function readALittle(response: IncomingMessage): Promise<void> {
  let read = 0;
  try {
    for await (const chunk of response) {
      read += Buffer.byteLength(chunk);
      if (read > MOST_READ_BYTES) break;
    }
  } catch {
    // The status is here, and it is what counts.
  } finally {
    response.destroy();
  }
}

function whyNotDelivered(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `the receiver answered ${status}; redirects are not followed`;
  return `the receiver answered ${status}`;
}

function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection tried at several addresses fails with all of their errors.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : error.message).slice(0, 300) || error.name;
}
