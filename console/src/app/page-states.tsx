/** What stands in a page's place while it loads, where it fails, and where there is none. */
import { Anchor, Button, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";

export function PagePending() {
  return (
    <Center mih={240}>
      <Loader size="sm" role="status" aria-label="Loading" />
    </Center>
  );
}

export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <Center mih={320} p="md">
      <Stack maw={520} role="alert">
        <Title order={1}>This page broke</Title>
        <Text>{error instanceof Error ? error.message : String(error)}</Text>
        <Text c="dimmed">
          Nothing was changed by that. After an update of the server, loading it anew helps.
        </Text>
        <div>
          <Button onClick={() => (reset(), window.location.reload())}>Load again</Button>
        </div>
      </Stack>
    </Center>
  );
}

export function PageMissing() {
  useDocumentTitle("There is nothing here · Howdah");
  return (
    <Center mih={320} p="md">
      <Stack align="center" gap="xs">
        <Title order={1}>There is nothing here</Title>
        <Anchor component={Link} to="/services">
          Go to the services
        </Anchor>
      </Stack>
    </Center>
  );
}
