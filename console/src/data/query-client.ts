import { QueryClient } from "@tanstack/react-query";
import { ClientError } from "../../../src/client/index.ts";

/** The client itself repeats what may be repeated; what comes after that is an error to show. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // Live events tell when something is out of date.
      staleTime: 30_000,
      throwOnError: (error) => !(error instanceof ClientError),
    },
    mutations: { retry: false },
  },
});
