/** Creates a service, then makes replicas synchronous where that was asked for, and goes on to the page of its steps. */
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import type { Client, ServiceRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { now } from "../../session/clock.ts";
import { createBody, type Draft } from "./draft.ts";
import { type FreshService, keepFresh } from "./fresh-services.ts";

interface Created {
  readonly service: ServiceRecord;
  readonly synchronous: FreshService["synchronous"];
}

export function useCreate() {
  const { projectId } = useAccount();
  const navigate = useNavigate();
  const idempotency = useIdempotency();
  return useChange<Draft, Created>({
    send: (client, draft) => create(client, draft, idempotency(draft)),
    accepted: () => null,
    touches: [keys.services(projectId), [...keys.project(projectId), "regions"]],
    onAccepted: ({ service, synchronous }) => {
      const { service_id: serviceId, initial_password: password } = service;
      if (password !== undefined) keepFresh(serviceId, { password, synchronous, acceptedAt: now() });
      void navigate({ to: "/services/$serviceId/created", params: { serviceId }, replace: true });
    },
  });
}

async function create(client: Client, draft: Draft, idempotencyKey: string): Promise<Created> {
  const service = await client.createService(createBody(draft), { idempotencyKey });
  const { synchronous: count } = draft;
  if (count === 0) return { service, synchronous: null };
  try {
    await client.setHa(service.service_id, { sync_replica_count: count });
    return { service, synchronous: null };
  } catch (error) {
    // The service is there, and its password is shown once: that must not be lost over this.
    const refused = error instanceof Error ? error : new Error(String(error));
    return { service, synchronous: { count, refused } };
  }
}

/** The same draft, sent again after an answer was lost, is the same request. */
function useIdempotency(): (draft: Draft) => string {
  const last = useRef<{ text: string; key: string } | null>(null);
  return (draft) => {
    const text = JSON.stringify(draft);
    if (last.current?.text !== text) last.current = { text, key: randomKey() };
    return last.current.key;
  };
}

/** Not randomUUID: browsers have that on https and localhost alone. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
