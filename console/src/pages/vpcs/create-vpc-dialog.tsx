import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parseVpcCidr, type Vpc } from "../../../../src/contract/vpcs.ts";
import { keys, useQueries } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { nameProblem } from "../../ui/name-problem.ts";
import { addressesOf, proposeCidr } from "./propose-cidr.ts";

export interface CreateVpcDialogProps {
  readonly vpcs: readonly Vpc[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateVpcDialog({ opened, ...props }: CreateVpcDialogProps) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Create a VPC">
      <Create {...props} />
    </Modal>
  );
}

function Create({ vpcs, onClose }: Omit<CreateVpcDialogProps, "opened">) {
  const { projectId } = useAccount();
  const { data: regions = [] } = useQuery(useQueries().regions);
  const [name, setName] = useState("");
  const [cidr, setCidr] = useState(() => proposeCidr(vpcs.map((vpc) => vpc.cidr)));
  const [chosen, setRegion] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const region = chosen ?? regions[0]?.code ?? null;
  const parsed = parseVpcCidr(cidr.trim());
  const wrong = nameProblem(name.trim(), "A VPC needs a name.");
  const change = useChange({
    send: (client) =>
      client.createVpc({
        name: name.trim(),
        cidr: cidr.trim(),
        ...(regions.length > 1 && region !== null ? { region_code: region } : {}),
      }),
    accepted: (vpc) => `The VPC ${vpc.name} was made, with ${vpc.cidr}.`,
    touches: [keys.vpcs(projectId)],
    onAccepted: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (wrong === null && parsed.kind === "cidr") change.mutate(undefined);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          value={name}
          error={tried ? wrong : null}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="Range of addresses"
          description="A private IPv4 range that nothing else uses, /16 to /28. It stays."
          value={cidr}
          error={tried && parsed.kind === "refused" ? parsed.message : null}
          onChange={(event) => setCidr(event.currentTarget.value)}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          inputWrapperOrder={["label", "description", "input", "error"]}
          autoComplete="off"
          spellCheck={false}
        />
        {regions.length > 1 && (
          <Select
            label="Region"
            description="Services of the same region can be attached."
            data={regions.map(({ code }) => code)}
            value={region}
            onChange={setRegion}
            allowDeselect={false}
          />
        )}
        {change.error && <ErrorNotice error={change.error} title="The VPC was not made" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Create with {parsed.kind === "cidr" ? addressesOf(parsed.cidr) : "this range"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
