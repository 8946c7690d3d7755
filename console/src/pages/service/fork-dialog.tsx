/** Makes a new service with the data of this one. */
import {
  Button,
  Group,
  Input,
  Modal,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { useQueries } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useIdempotency } from "../../data/use-idempotency.ts";
import { useShowFresh } from "../../data/use-show-fresh.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { size } from "../../ui/format.ts";
import { WriteButton } from "../../ui/write-button.tsx";
import { inWords, useUnsaved } from "./drafts.tsx";
import { ENVIRONMENTS, type Environment, isEnvironment } from "./settings/environments.ts";
import { SettingsNotice } from "./settings/settings-notice.tsx";
import { keyOfSize } from "./settings/size-cards.tsx";

export interface ForkDialogProps {
  readonly service: ServiceRecord;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const LONGEST_NAME = 128;

export function ForkDialog({ service, opened, onClose }: ForkDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Fork ${service.name}`}>
      <Fork service={service} onClose={onClose} />
    </Modal>
  );
}

interface Asked {
  readonly name: string;
  readonly sizeKey: string;
  readonly environment: Environment;
}

function Fork({ service, onClose }: Omit<ForkDialogProps, "opened">) {
  const { service_id: id, resources } = service;
  const show = useShowFresh();
  const own = keyOfSize(resources[0]?.spec ?? {});
  const [asked, ask] = useState<Asked>({
    name: `${service.name.slice(0, LONGEST_NAME - 5)}-fork`,
    sizeKey: own,
    environment: "DEV",
  });
  const sizes = useSizes(service, own);
  const idempotency = useIdempotency();
  const unsaved = useUnsaved();
  const fork = useChange({
    send: (client, wanted: Asked) => {
      const { name, sizeKey, environment } = wanted;
      const [cpu_millis = "shared", memory_gbs = "shared"] = sizeKey.split("/");
      const sized = sizeKey === own ? {} : { cpu_millis, memory_gbs };
      return client.forkService(
        id,
        { fork_strategy: "NOW", name, environment_tag: environment, ...sized },
        { idempotencyKey: idempotency(wanted) },
      );
    },
    accepted: () => null,
    onAccepted: (made) => {
      onClose();
      show(made);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        fork.mutate(asked);
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          A service of its own, with everything that is committed by now. It has the same region, parameters
          and list of who may connect, no replicas, and a new password for tsdbadmin, which is shown on the
          next page. {service.name} goes on undisturbed.
        </Text>
        <TextInput
          label="Name"
          required
          maxLength={LONGEST_NAME}
          value={asked.name}
          onChange={(event) => ask({ ...asked, name: event.currentTarget.value })}
          data-autofocus
        />
        <NativeSelect
          label="Size"
          value={asked.sizeKey}
          data={sizes}
          onChange={(event) => ask({ ...asked, sizeKey: event.currentTarget.value })}
        />
        <Input.Wrapper label="Environment" labelElement="div">
          <div>
            <SegmentedControl
              aria-label="Environment"
              value={asked.environment}
              data={[...ENVIRONMENTS]}
              onChange={(environment) => isEnvironment(environment) && ask({ ...asked, environment })}
            />
          </div>
        </Input.Wrapper>
        {unsaved.length > 0 && (
          <SettingsNotice mood="warn">
            What was changed under {inWords(unsaved)} is not saved: the fork does not have it, and it is lost
            when you go on to the fork.
          </SettingsNotice>
        )}
        {fork.error && <ErrorNotice error={fork.error} title="No fork was made" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <WriteButton type="submit" loading={fork.isPending}>
            Fork the service
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}

/** What can be chosen; the service's own size comes first, and alone while the others are not known. */
function useSizes({ region_code, resources }: ServiceRecord, own: string) {
  const { data: regions = [] } = useQuery(useQueries().regions);
  const offered = regions.find(({ code }) => code === region_code)?.sizes ?? [];
  return [
    { value: own, label: `${size(resources[0]?.spec ?? {})}, as this one` },
    ...offered
      .map((each) => ({ value: keyOfSize(each), label: size(each) }))
      .filter(({ value }) => value !== own),
    ...(own === "shared" ? [] : [{ value: "shared", label: "Shared" }]),
  ];
}
