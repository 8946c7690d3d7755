/** A new password for tsdbadmin, shown this one time. */
import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { Dices } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useChange } from "../../../data/use-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ConnectionStrings } from "../../../ui/connection-strings.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { KeepPassword } from "../../../ui/leave-guard.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { WriteButton } from "../../../ui/write-button.tsx";
import { generatePassword } from "./generate-password.ts";
import { SettingsNotice } from "./settings-notice.tsx";

const SHORTEST = 8;
const LONGEST = 256;

interface InForce {
  readonly password: string;
  /** What stands in its way; null: nothing. */
  readonly pending: string | null;
  /** Whether nobody has typed it, and it stands nowhere else. */
  readonly generated: boolean;
}

export function PasswordSection({ service }: { service: ServiceRecord }) {
  const mayWrite = useMayWrite();
  const [typed, type] = useState("");
  const [shown, show] = useState(false);
  const [generated, setGenerated] = useState<string | null>(null);
  const [set, setSet] = useState<InForce | null>(null);
  const [taken, setTaken] = useState(false);
  const change = useChange({
    send: (client, password: string) => client.updatePassword(service.service_id, { password }),
    accepted: () => null,
    touches: [],
    onAccepted: (message, password) => {
      setSet({ password, pending: message?.message ?? null, generated: password === generated });
      type("");
    },
  });
  const missing = typed.length < SHORTEST ? `A password has at least ${SHORTEST} characters.` : null;
  return (
    <>
      <Panel
        title="Password"
        description="Of tsdbadmin, on every endpoint of the service. Sessions that are open stay; new ones need the new password."
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (missing === null) change.mutate(typed);
          }}
        >
          <Stack gap="sm">
            <Group align="flex-end" gap="xs">
              <PasswordInput
                label="New password"
                flex="1 1 240px"
                maw={460}
                maxLength={LONGEST}
                autoComplete="new-password"
                disabled={!mayWrite}
                value={typed}
                visible={shown}
                onVisibilityChange={show}
                onChange={(event) => type(event.currentTarget.value)}
              />
              {typed !== "" && <Copy text={typed} what="the new password" onCopied={() => setTaken(true)} />}
              <WriteButton
                variant="default"
                leftSection={<Dices size={15} aria-hidden />}
                onClick={() => {
                  const password = generatePassword();
                  type(password);
                  show(true);
                  setGenerated(password);
                  setTaken(false);
                }}
              >
                Generate
              </WriteButton>
            </Group>
            <Text size="xs" c="dimmed">
              {SHORTEST} to {LONGEST} characters. It is kept nowhere as it is, so that nobody can tell it to
              you later.
            </Text>
            {change.error && <ErrorNotice error={change.error} title="The password was not changed" />}
            <div>
              <WriteButton type="submit" loading={change.isPending} unavailable={missing}>
                Set the new password
              </WriteButton>
            </div>
          </Stack>
        </form>
      </Panel>
      <div role="status">
        {set && (
          <NewPassword
            service={service}
            set={set}
            onTaken={() => setTaken(true)}
            onDone={() => setSet(null)}
          />
        )}
      </div>
      <KeepPassword needed={set?.generated === true && !taken} />
    </>
  );
}

interface NewPasswordProps {
  readonly service: ServiceRecord;
  readonly set: InForce;
  readonly onTaken: () => void;
  readonly onDone: () => void;
}

function NewPassword({ service, set, onTaken, onDone }: NewPasswordProps) {
  return (
    <Panel
      title={set.pending === null ? "The new password is in force" : "The new password was accepted"}
      description="It is shown until you leave this page. Copy it now."
      actions={
        <Button size="xs" variant="default" onClick={onDone}>
          Hide it
        </Button>
      }
    >
      <Stack gap="md">
        {set.pending !== null && <SettingsNotice mood="warn">{set.pending}</SettingsNotice>}
        <ConnectionStrings service={service} password={set.password} onTaken={onTaken} />
      </Stack>
    </Panel>
  );
}
