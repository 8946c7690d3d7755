/** Creates a service, then makes replicas synchronous where that was asked for, and goes on to the page of its steps. */
import type { Client, ServiceRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useIdempotency } from "../../data/use-idempotency.ts";
import { useShowFresh } from "../../data/use-show-fresh.ts";
import { useAccount } from "../../session/client.tsx";
import type { FreshService } from "../../session/fresh-services.ts";
import { createBody, type Draft } from "./draft.ts";

interface Created {
  readonly service: ServiceRecord;
  readonly synchronous: FreshService["synchronous"];
}

export function useCreate() {
  const { projectId } = useAccount();
  const show = useShowFresh();
  const idempotency = useIdempotency();
  return useChange<Draft, Created>({
    send: (client, draft) => create(client, draft, idempotency(draft)),
    accepted: () => null,
    touches: [keys.services(projectId), [...keys.project(projectId), "regions"]],
    onAccepted: ({ service, synchronous }) => show(service, { synchronous, replace: true }),
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
