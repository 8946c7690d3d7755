import { Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signIn } from "../../session/session.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export function KeyForm({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState("");
  const attempt = useMutation({ mutationFn: () => signIn(key.trim()), onSuccess: onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "") attempt.mutate();
      }}
    >
      <Stack>
        <PasswordInput
          label="API key"
          placeholder="hdk_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
        {attempt.error && <ErrorNotice error={attempt.error} title="This key does not sign in" />}
        <Button type="submit" loading={attempt.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
