/** Other networks that reach the services of a VPC. */
import { Button, Group, Skeleton, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PeeringRecord } from "../../../../src/client/index.ts";
import { MAX_PEERINGS_PER_VPC, type Vpc } from "../../../../src/contract/vpcs.ts";
import { keys, useQueries } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount, useMayWrite } from "../../session/client.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Mark } from "../../ui/mark.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { Confirm } from "./confirm.tsx";
import classes from "./vpcs.module.css";

/** Networks come and go without an event; the API looks as often. */
const LOOK_EVERY_MS = 5_000;

export function Peerings({ vpc }: { vpc: Vpc }) {
  const { data, error, refetch } = useQuery({
    ...useQueries().peerings(vpc.id),
    refetchInterval: LOOK_EVERY_MS,
  });
  const [leaving, setLeaving] = useState<PeeringRecord | null>(null);
  return (
    <section>
      <Title order={3}>Peerings</Title>
      <Text size="sm" c="dimmed" mb="xs">
        Another network of the engine whose containers reach the VPC's services by the same names.
      </Text>
      {error && !data && (
        <ErrorNotice error={error} title="The peerings cannot be shown" onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h={20} w={220} aria-hidden />}
      {data && data.length > 0 && (
        <ul className={classes["list"]}>
          {data.map((peering) => (
            <li key={peering.id} className={classes["item"]}>
              <div className={classes["words"]}>
                <Group gap="xs">
                  <Text span size="sm" fw={550} ff="monospace" className={classes["long"]}>
                    {peering.peer_vpc_id}
                  </Text>
                  <Status peering={peering} />
                </Group>
                <Text size="xs" c="dimmed" className={classes["long"]}>
                  {peering.error_message ?? `Of ${peering.peer_account_id}, in ${peering.peer_region_code}`}
                </Text>
              </div>
              <WriteButton
                size="xs"
                variant="default"
                onClick={() => setLeaving(peering)}
                aria-label={`Delete the peering with ${peering.peer_vpc_id}`}
              >
                Delete
              </WriteButton>
            </li>
          ))}
        </ul>
      )}
      {data && <Add vpc={vpc} full={data.length >= MAX_PEERINGS_PER_VPC} />}
      {leaving && <Delete vpc={vpc} peering={leaving} onClose={() => setLeaving(null)} />}
    </section>
  );
}

function Status({ peering: { status } }: { peering: PeeringRecord }) {
  if (status === "ACTIVE") return <Mark mood="good">Active</Mark>;
  return status === "FAILED" ? <Mark mood="bad">Failed</Mark> : <Mark mood="busy">Pending</Mark>;
}

function Add({ vpc, full }: { vpc: Vpc; full: boolean }) {
  const { projectId, projectName } = useAccount();
  const mayWrite = useMayWrite();
  const [network, setNetwork] = useState("");
  const change = useChange({
    send: (client, name: string) =>
      client.createPeering(vpc.id, {
        peer_vpc_id: name,
        // Kept by the API, and of no effect: whose network it is, is for people.
        peer_account_id: projectName,
        peer_region_code: vpc.region_code,
      }),
    accepted: ({ peer_vpc_id: name }) => `The peering with ${name} was made.`,
    touches: [keys.peerings(projectId)],
    onAccepted: () => setNetwork(""),
  });
  if (!mayWrite) return null;
  if (full) {
    return (
      <Text size="sm" c="dimmed" mt="xs">
        A VPC has at most {MAX_PEERINGS_PER_VPC} peerings.
      </Text>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (network.trim() !== "") change.mutate(network.trim());
      }}
    >
      <Group gap="xs" mt="xs">
        <TextInput
          aria-label={`The name of a network to peer with ${vpc.name}`}
          placeholder="Name of a network, such as app_default"
          value={network}
          onChange={(event) => setNetwork(event.currentTarget.value)}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          className={classes["field"]}
        />
        <Button type="submit" variant="default" disabled={network.trim() === ""} loading={change.isPending}>
          Peer
        </Button>
      </Group>
      {change.error && (
        <div className={classes["below"]}>
          <ErrorNotice error={change.error} title="The peering was not made" />
        </div>
      )}
    </form>
  );
}

interface DeleteProps {
  readonly vpc: Vpc;
  readonly peering: PeeringRecord;
  readonly onClose: () => void;
}

function Delete({ vpc, peering, onClose }: DeleteProps) {
  const { projectId } = useAccount();
  const change = useChange({
    send: (client) => client.deletePeering(vpc.id, peering.id),
    accepted: () => `The peering with ${peering.peer_vpc_id} was deleted.`,
    touches: [keys.peerings(projectId)],
    onAccepted: onClose,
  });
  return (
    <Confirm
      title={`Delete the peering with ${peering.peer_vpc_id}`}
      text="Connections from that network end. The network itself is not touched."
      action="Delete the peering"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(undefined)}
      onClose={onClose}
    />
  );
}
