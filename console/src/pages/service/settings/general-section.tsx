/** Name, environment, and a copy of it all. */
import { Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { GitFork } from "lucide-react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useChange } from "../../../data/use-change.ts";
import { useServiceChange } from "../../../data/use-service-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { WriteButton } from "../../../ui/write-button.tsx";
import { useDraft } from "../drafts.tsx";
import { ForkDialog } from "../fork-dialog.tsx";
import { ENVIRONMENTS, type Environment, isEnvironment } from "./environments.ts";

export function GeneralSection({ service }: { service: ServiceRecord }) {
  return (
    <>
      <Name service={service} />
      <EnvironmentPanel service={service} />
      <Fork service={service} />
    </>
  );
}

const LONGEST_NAME = 128;

function Name({ service: { service_id: id, name } }: { service: ServiceRecord }) {
  const mayWrite = useMayWrite();
  const [draft, setDraft] = useDraft("general");
  const typed = draft ?? name;
  const type = (next: string) => setDraft(() => (next === name ? null : next));
  const rename = useServiceChange({
    send: (client, next: string) => client.renameService(id, { name: next }),
    accepted: (service) => `The service is called ${service.name} now.`,
    onAccepted: () => setDraft(() => null),
  });
  const same = typed === name;
  return (
    <Panel title="Name" description="For people. Id, endpoint and everything else stay as they are.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!same) rename.mutate(typed);
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="xs">
            <TextInput
              label="Name"
              flex="1 1 240px"
              maw={420}
              required
              maxLength={LONGEST_NAME}
              value={typed}
              readOnly={!mayWrite}
              onChange={(event) => type(event.currentTarget.value)}
            />
            <WriteButton
              type="submit"
              loading={rename.isPending}
              unavailable={same ? "This is its name already." : null}
            >
              Rename
            </WriteButton>
            {!same && (
              <Button variant="subtle" color="gray" onClick={() => type(name)}>
                Discard
              </Button>
            )}
          </Group>
          {rename.error && <ErrorNotice error={rename.error} title="The service was not renamed" />}
        </Stack>
      </form>
    </Panel>
  );
}

function EnvironmentPanel({ service: { service_id: id, metadata } }: { service: ServiceRecord }) {
  const mayWrite = useMayWrite();
  const change = useChange({
    send: (client, environment: Environment) => client.setEnvironment(id, { environment }),
    accepted: ({ message }) => message,
  });
  const shown = change.isPending ? change.variables : metadata?.environment;
  return (
    <Panel title="Environment" description="A mark for people and programs; it changes nothing else.">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="Environment"
          value={shown ?? ""}
          disabled={!mayWrite}
          data={[...ENVIRONMENTS]}
          onChange={(next) => isEnvironment(next) && change.mutate(next)}
        />
        {change.error && <ErrorNotice error={change.error} title="The environment was not changed" />}
      </Stack>
    </Panel>
  );
}

function Fork({ service }: { service: ServiceRecord }) {
  const [opened, dialog] = useDisclosure();
  return (
    <Panel
      title="Fork"
      description="A new service with the data of this one, to try something out for example."
    >
      <WriteButton
        variant="default"
        leftSection={<GitFork size={15} aria-hidden />}
        unavailable={
          service.status === "PAUSED" ? "The service is stopped; it can be forked while it runs." : null
        }
        onClick={dialog.open}
      >
        Fork …
      </WriteButton>
      {service.forked_from?.service_id !== undefined && (
        <Text size="sm" c="dimmed" mt="sm">
          It began as a fork of{" "}
          <Text span ff="monospace">
            {service.forked_from.service_id}
          </Text>
          .
        </Text>
      )}
      <ForkDialog service={service} opened={opened} onClose={dialog.close} />
    </Panel>
  );
}
