/** A change that the API answers with the service's new record, which is shown at once. */
import { useQueryClient } from "@tanstack/react-query";
import type { Client, ServiceRecord } from "../../../src/client/index.ts";
import { useQueries } from "./queries.ts";
import { useChange } from "./use-change.ts";

export interface ServiceChangeOptions<Input> {
  readonly send: (client: Client, input: Input) => Promise<ServiceRecord>;
  /** What the API accepted, in a sentence. */
  readonly accepted: (service: ServiceRecord, input: Input) => string;
  readonly onAccepted?: () => void;
}

export function useServiceChange<Input>({ send, accepted, onAccepted }: ServiceChangeOptions<Input>) {
  const queries = useQueries();
  const queryClient = useQueryClient();
  return useChange<Input, ServiceRecord>({
    send,
    accepted,
    onAccepted: (service) => {
      queryClient.setQueryData(queries.service(service.service_id).queryKey, service);
      onAccepted?.();
    },
  });
}
