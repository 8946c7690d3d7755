import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ClientError } from "../../../src/client/index.ts";
import { getSession, isSignedOut } from "../session/session.ts";
import { leaveProject } from "./leave-project.ts";

/** Each query's key begins with its project's id. */
const queryCache = new QueryCache({
  onError: (error, { queryKey: [projectId] }) => {
    if (isSignedOut(error)) leaveProject(String(projectId), error);
  },
});
/** Those that sign in are refused for another key than that of the session. */
const mutationCache = new MutationCache({
  onError: (error, _input, _context, { options }) => {
    const { current } = getSession();
    if (current && isSignedOut(error) && options.meta?.["signingIn"] !== true)
      leaveProject(current.projectId, error);
  },
});

/** The client itself repeats what may be repeated; what comes after that is an error to show. */
export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
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
