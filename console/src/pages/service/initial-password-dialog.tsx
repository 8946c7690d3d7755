/** Shows the password of a new service, this one time. */
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { forgetInitialPassword, useInitialPassword } from "../../session/initial-passwords.ts";
import { ConnectionStrings } from "../../ui/connection-strings.tsx";

export function InitialPasswordDialog({ service }: { service: ServiceRecord }) {
  const password = useInitialPassword(service.service_id);
  const [taken, setTaken] = useState(false);
  const [warned, setWarned] = useState(false);
  if (password === null) return null;
  const close = () => (taken || warned ? forgetInitialPassword(service.service_id) : setWarned(true));
  return (
    <Modal opened onClose={close} title={`How to connect to ${service.name}`} size="xl">
      <Stack gap="md">
        <Text size="sm">
          The service has a new password for tsdbadmin. It is shown this one time and kept nowhere: copy it
          now. The service takes connections once its status is Ready.
        </Text>
        <ConnectionStrings service={service} password={password} onTaken={() => setTaken(true)} />
        {warned && !taken && (
          <Alert color="yellow" icon={<TriangleAlert aria-hidden />} role="alert">
            The password was not copied. After this it cannot be shown again; a new one can be set in the
            settings.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant={taken ? "filled" : "default"} onClick={close}>
            {warned && !taken ? "Close without it" : "Done"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
