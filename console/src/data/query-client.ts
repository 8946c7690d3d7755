import { notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ClientError } from "../../../src/client/index.ts";
import { endSession, getSession, isSignedOut } from "../session/session.ts";

/** Each query's key begins with its project's id. */
const queryCache = new QueryCache({
  onError: (error, { queryKey: [projectId] }) => {
    if (isSignedOut(error)) leave(String(projectId), error.message);
  },
});
const mutationCache = new MutationCache({
  onError: (error) => {
    const { current } = getSession();
    if (current && isSignedOut(error)) leave(current.projectId, error.message);
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

function leave(projectId: string, because: string): void {
  endSession(projectId, because);
  // Where another project is shown from now on, there is no sign-in page that would say so.
  if (getSession().current)
    notifications.show({ title: "Signed out of a project", message: because, autoClose: false });
}
