import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Context } from "./context.ts";
import { createGuardian, type Guardian } from "./guardian.ts";
import { LABEL } from "./names.ts";

const RECONNECT_MS = 1_000;

const EngineEvent = Type.Object({
  Action: Type.String(),
  Actor: Type.Object({ Attributes: Type.Record(Type.String(), Type.String()) }),
});

/** Follows the engine's events about containers of ours, and looks after primaries, until the signal aborts. */
export function watch(context: Context, changed: (serviceId: string) => void, signal: AbortSignal): void {
  const guardian = createGuardian(context);
  void follow(context, (event) => react(guardian, event, changed), signal);
  void guard(guardian, signal);
}

/** What happened to which of our containers. */
interface Happening {
  readonly action: string;
  readonly serviceId: string;
  /** null: it is no member. */
  readonly ordinal: number | null;
}

function react(
  guardian: Guardian,
  { action, serviceId, ordinal }: Happening,
  changed: (id: string) => void,
): void {
  if (ordinal !== null && (action === "die" || action === "pause")) {
    const fell = guardian.memberFell(serviceId, ordinal, action === "die" ? "ended" : "frozen");
    void fell.then(() => changed(serviceId));
  }
  changed(serviceId);
}

async function guard(guardian: Guardian, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await guardian.look();
    await delay(guardian.lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function follow(
  context: Context,
  happened: (event: Happening) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(context, happened, signal);
    } catch (error) {
      if (!signal.aborted)
        context.log.warn({ err: error }, "the engine's events cannot be followed; trying again");
    }
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function followOnce(
  context: Context,
  happened: (event: Happening) => void,
  signal: AbortSignal,
): Promise<void> {
  const stream = await context.docker.getEvents({
    filters: {
      type: ["container"],
      event: ["start", "die", "oom", "pause", "unpause", "destroy"],
      label: [`${LABEL.installation}=${context.installationId}`],
    },
    abortSignal: signal,
  });
  const lines = createInterface({ input: stream, signal });
  lines.on("line", (line) => {
    const event = happeningIn(line);
    if (event) happened(event);
  });
  await once(lines, "close");
}

function happeningIn(line: string): Happening | null {
  try {
    const event: unknown = JSON.parse(line);
    if (!Value.Check(EngineEvent, event)) return null;
    const { [LABEL.service]: serviceId, [LABEL.ordinal]: ordinal } = event.Actor.Attributes;
    if (serviceId === undefined) return null;
    return { action: event.Action, serviceId, ordinal: ordinal === undefined ? null : Number(ordinal) };
  } catch {
    return null;
  }
}
