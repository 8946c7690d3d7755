/** What writes: told to the person as the API accepted it, or refused it. */
import { notifications } from "@mantine/notifications";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Client } from "../../../src/client/index.ts";
import { useAccount, useClient } from "../session/client.tsx";
import { keys } from "./queries.ts";

export interface ChangeOptions<Input, Answer> {
  readonly send: (client: Client, input: Input) => Promise<Answer>;
  /** What the API accepted, in a sentence; null: the page itself shows it. */
  readonly accepted: (answer: Answer, input: Input) => string | null;
  /** Left out: everything of the project that is on the screen. */
  readonly touches?: readonly QueryKey[];
  readonly onAccepted?: (answer: Answer, input: Input) => void;
}

/**
 * A change that a person asks for. `error` is the API's refusal, to be shown with ErrorNotice where the person asked;
 * it stays until `reset` or the next try.
 */
export function useChange<Input, Answer>(options: ChangeOptions<Input, Answer>) {
  const client = useClient();
  const { projectId } = useAccount();
  const queryClient = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: (input) => options.send(client, input),
    onSuccess: (answer, input) => {
      for (const queryKey of options.touches ?? [keys.project(projectId)])
        void queryClient.invalidateQueries({ queryKey });
      const message = options.accepted(answer, input);
      if (message !== null) notifications.show({ message });
      options.onAccepted?.(answer, input);
    },
  });
}
