import { Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signIn } from "../../session/session.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";

/** As keys are made: anything else is a slip of the clipboard, and need not be sent anywhere. */
const KEY = /^hdk_[A-Za-z0-9]+_[A-Za-z0-9]+$/;

export function KeyForm({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState("");
  const [malformed, setMalformed] = useState(false);
  const attempt = useMutation({
    mutationFn: () => signIn(key.trim()),
    meta: { signingIn: true },
    onSuccess: onDone,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const wellFormed = KEY.test(key.trim());
        setMalformed(!wellFormed);
        if (wellFormed) attempt.mutate();
      }}
    >
      <Stack>
        <PasswordInput
          label="API key"
          placeholder="hdk_…"
          value={key}
          onChange={(event) => {
            setKey(event.currentTarget.value);
            setMalformed(false);
          }}
          error={malformed && "An API key has three parts: hdk_, its public half, _ and its secret half."}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
        {attempt.error && <ErrorNotice error={attempt.error} title="This key does not sign in" />}
        <Button type="submit" loading={attempt.isPending || attempt.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
