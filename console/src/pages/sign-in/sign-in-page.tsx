/** Signing in to a project with an API key. */
import { Button, Center, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Logo } from "../../app/logo.tsx";
import { signIn } from "../../session/session.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export function SignInPage() {
  useDocumentTitle("Sign in · Howdah");
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const [key, setKey] = useState("");
  const attempt = useMutation({
    mutationFn: () => signIn(key.trim()),
    onSuccess: () => navigate({ to: next ?? "/services", replace: true }),
  });
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380} gap="lg">
        <Logo />
        <div>
          <Title order={1}>Sign in</Title>
          <Text c="dimmed">With an API key of the project. It is kept until this browser tab is closed.</Text>
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            attempt.mutate();
          }}
        >
          <Stack>
            <PasswordInput
              label="API key"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
              required
              data-autofocus
            />
            {attempt.error && <ErrorNotice error={attempt.error} />}
            <Button type="submit" loading={attempt.isPending} disabled={key.trim() === ""}>
              Sign in
            </Button>
          </Stack>
        </form>
      </Stack>
    </Center>
  );
}
