/** The project's events as they happen, and what they make of the data that pages show. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { Client, EventRecord, ServiceRecord } from "../../../src/client/index.ts";
import { ClientError } from "../../../src/client/index.ts";
import { useAccount, useClient } from "../session/client.tsx";
import { isSignedOut } from "../session/session.ts";
import { leaveProject } from "./leave-project.ts";
import { keys } from "./queries.ts";

type OnEvent = (event: EventRecord) => void;

/** Events of one moment are one look at the API. */
const GATHER_MS = 150;
/** For more services than this, the list is asked for once instead of each of them. */
const ONE_BY_ONE = 8;
/** What a key may not read is not asked for again soon. */
const REFUSED_PAUSE_MS = 30_000;

let connected = true;
const connectionListeners = new Set<() => void>();
const eventListeners = new Set<OnEvent>();

/** Whether changes are being told. */
export function useConnected(): boolean {
  return useSyncExternalStore(
    (listener) => {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    () => connected,
  );
}

/** Calls back with every event of the project from now on. */
export function useEvents(onEvent: OnEvent): void {
  useEffect(() => {
    eventListeners.add(onEvent);
    return () => {
      eventListeners.delete(onEvent);
    };
  }, [onEvent]);
}

/** To be used once, by the shell. A hidden page has no stream: browsers allow few connections to one server. */
export function useLiveData(): void {
  const client = useClient();
  const { projectId } = useAccount();
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = refresher(client, projectId, queryClient);
    let lastEventId: string | undefined;
    let stop: AbortController | null = null;
    const begin = () => {
      if (stop || document.hidden) return;
      stop = new AbortController();
      void follow(client, stop.signal, {
        after: () => lastEventId,
        onRefused: (error) => leaveProject(projectId, error),
        onOpen: () => {
          tell(true);
          // What happened between the first look and the first stream is told by nobody.
          if (lastEventId === undefined)
            void queryClient.invalidateQueries({ queryKey: keys.project(projectId) });
        },
        onEvent: (event) => {
          lastEventId = event.id;
          refresh.note(event);
          for (const listener of eventListeners) listener(event);
        },
      });
    };
    const end = () => {
      stop?.abort();
      stop = null;
    };
    const onVisibility = () => (document.hidden ? end() : begin());
    document.addEventListener("visibilitychange", onVisibility);
    begin();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      end();
      refresh.stop();
      tell(true);
    };
  }, [client, projectId, queryClient]);
}

interface Following {
  readonly after: () => string | undefined;
  readonly onOpen: () => void;
  readonly onEvent: OnEvent;
  /** The key is accepted no more. */
  readonly onRefused: (error: ClientError) => void;
}

async function follow(client: Client, signal: AbortSignal, { after, onOpen, onEvent, onRefused }: Following) {
  while (!signal.aborted) {
    const lastEventId = after();
    try {
      const events = client.streamEvents(undefined, {
        signal,
        ...(lastEventId === undefined ? {} : { lastEventId }),
        onOpen,
        onLost: () => tell(false),
      });
      for await (const event of events) onEvent(event);
    } catch (error) {
      if (signal.aborted) return;
      if (isSignedOut(error)) return onRefused(error);
      if (!(error instanceof ClientError)) throw error;
      tell(false);
      await new Promise((resolve) => setTimeout(resolve, REFUSED_PAUSE_MS));
    }
  }
}

function tell(next: boolean): void {
  if (next === connected) return;
  connected = next;
  for (const listener of connectionListeners) listener();
}

/** What events touch beside their service; the first that fits. */
const RENEWED = [
  { prefix: "vpc.peering.", key: keys.peerings },
  { prefix: "vpc.", key: keys.vpcs },
] as const;

/** Gathers what events touch, and asks for that again. */
function refresher(client: Client, projectId: string, queryClient: QueryClient) {
  const touched = new Set<string>();
  /** The newest look at each service: an earlier one may be answered later. */
  const looks = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function look(): Promise<void> {
    timer = null;
    const ids = [...touched];
    touched.clear();
    void queryClient.invalidateQueries({ queryKey: keys.events(projectId) });
    for (const id of ids) void queryClient.invalidateQueries({ queryKey: keys.service(projectId, id) });
    const services = keys.services(projectId);
    if (ids.length > ONE_BY_ONE) await queryClient.invalidateQueries({ queryKey: services });
    else await Promise.all(ids.map((id) => renew(id)));
  }

  async function renew(id: string): Promise<void> {
    const services = keys.services(projectId);
    const turn = (looks.get(id) ?? 0) + 1;
    looks.set(id, turn);
    try {
      const record = await client.getService(id);
      if (looks.get(id) !== turn) return;
      if (record.forked_from?.is_standby === true) return;
      queryClient.setQueryData<readonly ServiceRecord[]>(services, (list) => list && replaced(list, record));
    } catch (error) {
      if (error instanceof ClientError && error.code === "NOT_FOUND")
        queryClient.setQueryData<readonly ServiceRecord[]>(services, (list) =>
          list?.filter(({ service_id }) => service_id !== id),
        );
      else await queryClient.invalidateQueries({ queryKey: services });
    }
  }

  return {
    note({ type, service_id }: EventRecord): void {
      if (service_id !== undefined) touched.add(service_id);
      const what = RENEWED.find(({ prefix }) => type.startsWith(prefix));
      if (what) void queryClient.invalidateQueries({ queryKey: what.key(projectId) });
      timer ??= setTimeout(() => void look(), GATHER_MS);
    },
    stop(): void {
      if (timer) clearTimeout(timer);
    },
  };
}

/** The list with one record in its place; a new one comes first. */
function replaced(list: readonly ServiceRecord[], record: ServiceRecord): readonly ServiceRecord[] {
  const known = list.some(({ service_id }) => service_id === record.service_id);
  if (!known) return [record, ...list];
  return list.map((other) => (other.service_id === record.service_id ? record : other));
}
