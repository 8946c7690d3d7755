import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Context } from "./context.ts";
import { LABEL } from "./names.ts";

const RECONNECT_MS = 1_000;

const EngineEvent = Type.Object({
  Actor: Type.Object({ Attributes: Type.Record(Type.String(), Type.String()) }),
});

/** Follows the engine's events about containers of ours, until the signal aborts. */
export function watch(context: Context, changed: (serviceId: string) => void, signal: AbortSignal): void {
  void follow(context, changed, signal);
}

async function follow(
  context: Context,
  changed: (serviceId: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(context, changed, signal);
    } catch (error) {
      if (!signal.aborted)
        context.log.warn({ err: error }, "the engine's events cannot be followed; trying again");
    }
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function followOnce(
  context: Context,
  changed: (serviceId: string) => void,
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
    const serviceId = serviceIn(line);
    if (serviceId) changed(serviceId);
  });
  await once(lines, "close");
}

function serviceIn(line: string): string | null {
  try {
    const event: unknown = JSON.parse(line);
    return Value.Check(EngineEvent, event) ? (event.Actor.Attributes[LABEL.service] ?? null) : null;
  } catch {
    return null;
  }
}
