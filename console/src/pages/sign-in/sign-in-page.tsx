/** Signing in to a project: with a link that works once, or with an API key. */
import { Alert, Anchor, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Info } from "lucide-react";
import { useEffect, useState } from "react";
import { Logo } from "../../app/logo.tsx";
import { signInByLink, useSession } from "../../session/session.ts";
import { keepToken, useToken } from "../../session/sign-in-link.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { KeyForm } from "./key-form.tsx";
import classes from "./sign-in-page.module.css";
import { WhereKeysAre } from "./where-keys-are.tsx";

export function SignInPage() {
  const { current: signedIn, endedBecause } = useSession();
  // Whoever has just signed in is on the way to another page, and this one stays as it was.
  const [current] = useState(signedIn);
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const token = useToken();
  const goOn = () => {
    keepToken(null);
    void navigate({ to: next ?? "/services", replace: true });
  };
  const title = current ? "Add a project" : "Sign in";
  useDocumentTitle(`${title} · Howdah`);
  return (
    <main className={classes["page"]}>
      <Stack className={classes["column"]} gap="lg">
        <Group justify="space-between">
          <Logo />
          {current && (
            <Anchor component={Link} to="/services" size="sm" onClick={() => keepToken(null)}>
              Back to {current.projectName}
            </Anchor>
          )}
        </Group>
        <Stack className={classes["card"]} gap="lg">
          {endedBecause !== null && (
            <Alert icon={<Info aria-hidden />} variant="light" role="status" title="You were signed out">
              <Text size="sm">The server said: {endedBecause}.</Text>
            </Alert>
          )}
          <div>
            <Title order={1}>{title}</Title>
            <Text c="dimmed" mt={2}>
              {current
                ? "With a key of another project. Both stay signed in, and you switch between them."
                : "With an API key of the project. It is kept until this browser tab is closed."}
            </Text>
          </div>
          {token !== null && <ByLink key={token} token={token} onDone={goOn} />}
          <KeyForm onDone={goOn} />
        </Stack>
        <WhereKeysAre />
      </Stack>
    </main>
  );
}

/** Links that are being used: a component may be mounted twice, a link works once. */
const used = new Map<string, ReturnType<typeof signInByLink>>();

function ByLink({ token, onDone }: { token: string; onDone: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const signingIn = used.get(token) ?? signInByLink(token);
      used.set(token, signingIn);
      // What did not reach the server can be tried again.
      signingIn.catch(() => used.delete(token));
      return signingIn;
    },
    meta: { signingIn: true },
    onSuccess: onDone,
  });
  useEffect(() => mutate(), [mutate]);
  if (error)
    return (
      <ErrorNotice
        error={error}
        title="The link does not sign in"
        onRetry={"status" in error && error.status === 401 ? undefined : () => mutate()}
      />
    );
  return (
    <Group gap="sm" role="status">
      {isPending && <Loader size="xs" aria-hidden />}
      <Text size="sm">Signing in with the link …</Text>
    </Group>
  );
}
