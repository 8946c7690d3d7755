/** The few calls of Patroni's REST interface that Howdah needs (https://patroni.readthedocs.io/en/latest/rest_api.html). */
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { PATRONI_PORT, PATRONI_USER } from "./patroni-config.ts";

const READ_TIMEOUT_MS = 1_500;
const CHANGE_TIMEOUT_MS = 5_000;
/** A restart or switchover checkpoints first; much dirty memory takes its time. */
const RESTART_TIMEOUT_MS = 120_000;

const MemberStatus = Type.Object({
  state: Type.String(),
  role: Type.String(),
  timeline: Type.Optional(Type.Integer()),
  pending_restart: Type.Optional(Type.Boolean()),
});
export type MemberStatus = Static<typeof MemberStatus>;

export interface PatroniAnswer {
  /** `later`: Patroni sees the change as possible, but not now. */
  readonly verdict: "accepted" | "later" | "refused";
  /** Patroni's own words. */
  readonly message: string;
}

export interface PatroniClient {
  /** null where Patroni does not answer, or not with what it should. */
  status(): Promise<MemberStatus | null>;
  configure(patch: unknown): Promise<PatroniAnswer>;
  /** Reads its own file again, soon. */
  reload(): Promise<PatroniAnswer>;
  restart(): Promise<PatroniAnswer>;
  switchover(leader: string, candidate: string): Promise<PatroniAnswer>;
}

export function patroniClient(address: string, password: string): PatroniClient {
  const base = `http://${address}:${PATRONI_PORT}`;
  const authorization = `Basic ${Buffer.from(`${PATRONI_USER}:${password}`).toString("base64")}`;

  async function read<T extends Type.TSchema>(path: string, schema: T): Promise<Static<T> | null> {
    try {
      // A member that is no primary answers with 503 and the same body.
      const response = await fetch(`${base}${path}`, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
      const body: unknown = await response.json();
      return Value.Check(schema, body) ? body : null;
    } catch {
      return null;
    }
  }

  async function change(
    method: string,
    path: string,
    body: unknown,
    timeoutMs: number,
  ): Promise<PatroniAnswer> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { verdict: verdictOf(response.status), message: (await response.text()).trim().slice(0, 500) };
  }

  return {
    status: () => read("/patroni", MemberStatus),
    configure: (patch) => change("PATCH", "/config", patch, CHANGE_TIMEOUT_MS),
    reload: () => change("POST", "/reload", {}, CHANGE_TIMEOUT_MS),
    restart: () => change("POST", "/restart", {}, RESTART_TIMEOUT_MS),
    switchover: (leader, candidate) =>
      change("POST", "/switchover", { leader, candidate }, RESTART_TIMEOUT_MS),
  };
}

/** 412 and 503 tell of preconditions that do not hold now, 409 of another change under way. */
function verdictOf(status: number): PatroniAnswer["verdict"] {
  if (status >= 200 && status < 300) return "accepted";
  return status === 409 || status === 412 || status === 503 ? "later" : "refused";
}
