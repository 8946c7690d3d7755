import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ServiceRecord } from "../../../src/client/index.ts";
import { now } from "../session/clock.ts";
import { type FreshService, keepFresh } from "../session/fresh-services.ts";
import { useQueries } from "./queries.ts";

/** Leads on to the page of a service that was just made, which shows its password this one time. */
export function useShowFresh() {
  const queries = useQueries();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (made: ServiceRecord, { synchronous = null, replace = false }: ShowOptions = {}) => {
    const { initial_password: password, ...service } = made;
    const { service_id: serviceId } = service;
    if (password !== undefined) keepFresh(serviceId, { password, synchronous, acceptedAt: now() });
    queryClient.setQueryData(queries.service(serviceId).queryKey, service);
    // Whoever would stay where they are would never see the password.
    void navigate({
      to: "/services/$serviceId/created",
      params: { serviceId },
      replace,
      ignoreBlocker: true,
    });
  };
}

interface ShowOptions {
  readonly synchronous?: FreshService["synchronous"];
  /** Whether the way back leads past the page that made it. */
  readonly replace?: boolean;
}
