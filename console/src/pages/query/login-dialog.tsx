/** Asks for the database's password, and tries it before anything is run with it. */
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Client, ClientError } from "../../../../src/client/index.ts";
import { useClient } from "../../session/client.tsx";
import { type Login, USUAL_LOGIN } from "../../session/login.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export interface LoginDialogProps {
  readonly serviceName: string;
  readonly known: Login | null;
  /** Why it is asked for again; null: it is asked for the first time. */
  readonly refusal: Error | null;
  readonly serviceId: string;
  readonly onConnected: (login: Login) => void;
  readonly onClose: () => void;
}

export function LoginDialog(props: LoginDialogProps) {
  const { serviceName, serviceId, known, refusal, onConnected, onClose } = props;
  const client = useClient();
  const [login, setLogin] = useState<Login>(known ?? USUAL_LOGIN);
  const connecting = useMutation({
    mutationFn: (tried: Login) => tryLogin(client, serviceId, tried),
    onSuccess: (_nothing, tried) => onConnected(tried),
  });
  const error = connecting.error ?? (connecting.isIdle ? refusal : null);
  const set = (part: Partial<Login>) => setLogin((before) => ({ ...before, ...part }));
  const complete = login.user !== "" && login.database !== "" && login.password !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete) connecting.mutate(login);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Connect to ${serviceName}`}
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            The password goes to the API of this Howdah with each query, which uses it for that one connection
            and stores it nowhere. This tab remembers it until it is closed or reloaded.
          </Text>
          <PasswordInput
            label="Password"
            value={login.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
            autoComplete="off"
            data-autofocus
            visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          />
          <Group grow align="flex-start" gap="sm">
            <TextInput
              label="User"
              value={login.user}
              onChange={(event) => set({ user: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
            <TextInput
              label="Database"
              value={login.database}
              onChange={(event) => set({ database: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
          </Group>
          {error && <ErrorNotice error={error} title="The database cannot be reached with this" />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!complete} loading={connecting.isPending}>
              Connect
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Throws where nothing could be run with it. */
async function tryLogin(client: Client, serviceId: string, login: Login): Promise<void> {
  try {
    await client.query(serviceId, { ...login, sql: "select 1" });
  } catch (error) {
    // Of a login that is right, even one that may run nothing.
    if (!(error instanceof ClientError) || error.code !== "QUERY_FAILED") throw error;
  }
}
