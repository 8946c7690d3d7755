import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { inspectOrNull } from "./container.ts";
import type { Context } from "./context.ts";
import { ensureEtcd } from "./coordination.ts";
import { createGuardian, type Death, type Guardian } from "./guardian.ts";
import { LABEL } from "./names.ts";

const RECONNECT_MS = 1_000;

const EngineEvent = Type.Object({
  Action: Type.String(),
  Actor: Type.Object({ Attributes: Type.Record(Type.String(), Type.String()) }),
  timeNano: Type.Number(),
});

/** Follows the engine's events about what is ours, and looks after primaries, until the signal aborts. */
export function watch(context: Context, changed: (serviceId: string) => void, signal: AbortSignal): void {
  const guardian = createGuardian(context);
  const happened = ({ serviceId, containerId, toMember, death }: Happening) => {
    if (containerId !== undefined)
      return void serviceOf(context, containerId).then((id) => id && changed(id));
    if (serviceId === null) return void restartEtcd(context);
    if (toMember) void guardian.attend(serviceId, death).then(() => changed(serviceId));
    changed(serviceId);
  };
  for (const source of [containersOf(context), networksOf(context)]) {
    void follow(context, source, happened, signal);
  }
  void guard(guardian, signal);
}

/** Without it nobody can take over from a primary that dies. What fails here is done by the next look at any service. */
async function restartEtcd(context: Context): Promise<void> {
  try {
    await ensureEtcd(context);
  } catch (error) {
    context.log.warn({ err: error }, "etcd has ended and could not be started at once");
  }
}

/** null where it is gone, or no service's. */
async function serviceOf(
  { docker, installationId, log }: Context,
  containerId: string,
): Promise<string | null> {
  try {
    const labels = (await inspectOrNull(docker.getContainer(containerId)))?.Config.Labels ?? {};
    return labels[LABEL.installation] === installationId ? (labels[LABEL.service] ?? null) : null;
  } catch (error) {
    log.warn(
      { err: error },
      "it could not be seen what has left the network of a VPC; the next look will tell",
    );
    return null;
  }
}

interface Happening {
  /** null: to etcd, which has ended. */
  readonly serviceId: string | null;
  /** To this container; whose it is has to be looked up. */
  readonly containerId?: string;
  /** A member may have lost what it needs to lead. */
  readonly toMember: boolean;
  readonly death?: Death;
}

/** What to ask the engine for, and what its answers mean; null: nothing to us. */
interface Source {
  readonly filters: Record<string, string[]>;
  readonly read: (event: Static<typeof EngineEvent>) => Happening | null;
}

function containersOf({ installationId }: Context): Source {
  return {
    filters: {
      type: ["container"],
      event: ["start", "die", "oom", "pause", "unpause", "destroy"],
      label: [`${LABEL.installation}=${installationId}`],
    },
    read: ({ Action, Actor: { Attributes }, timeNano }) => {
      const { [LABEL.service]: serviceId, [LABEL.ordinal]: ordinal, [LABEL.role]: role } = Attributes;
      if (role === "etcd" && Action === "die") return { serviceId: null, toMember: false };
      if (serviceId === undefined) return null;
      if (ordinal === undefined || (Action !== "die" && Action !== "pause"))
        return { serviceId, toMember: false };
      if (Action === "pause") return { serviceId, toMember: true };
      return { serviceId, toMember: true, death: { ordinal: Number(ordinal), atMs: timeNano / 1e6 } };
    },
  };
}

/** Of a network the engine tells the name alone. Containers leave theirs when they end, and when somebody cuts them off. */
function networksOf({ names }: Context): Source {
  const prefix = names.network("");
  return {
    filters: { type: ["network"], event: ["disconnect"] },
    read: ({ Actor: { Attributes } }) => {
      const { name = "", container: containerId } = Attributes;
      // Gateways and relays of services leave it, and whatever else people run there.
      if (name.startsWith(names.vpc("")) && containerId !== undefined)
        return { serviceId: null, containerId, toMember: false };
      if (!name.startsWith(prefix) || name === names.control) return null;
      return { serviceId: name.slice(prefix.length), toMember: true };
    },
  };
}

async function guard(guardian: Guardian, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await guardian.look();
    await delay(guardian.lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function follow(
  context: Context,
  source: Source,
  happened: (event: Happening) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(context, source, happened, signal);
    } catch (error) {
      if (!signal.aborted)
        context.log.warn({ err: error }, "the engine's events cannot be followed; trying again");
    }
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function followOnce(
  { docker }: Context,
  { filters, read }: Source,
  happened: (event: Happening) => void,
  signal: AbortSignal,
): Promise<void> {
  const stream = await docker.getEvents({ filters, abortSignal: signal });
  const lines = createInterface({ input: stream, signal });
  lines.on("line", (line) => {
    const event = eventIn(line);
    const happening = event && read(event);
    if (happening) happened(happening);
  });
  await once(lines, "close");
}

function eventIn(line: string): Static<typeof EngineEvent> | null {
  try {
    const event: unknown = JSON.parse(line);
    return Value.Check(EngineEvent, event) ? event : null;
  } catch {
    return null;
  }
}
