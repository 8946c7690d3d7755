/** From which addresses clients may connect. */
import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { useChange } from "../../../data/use-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { READ_ONLY, WriteButton } from "../../../ui/write-button.tsx";
import { useDraft } from "../drafts.tsx";
import classes from "./access-section.module.css";
import { applied, coveredBy, draftOf, openRanges, withRanges } from "./allow-list.ts";
import { SettingsNotice } from "./settings-notice.tsx";

export function AccessSection({ service: { service_id: id } }: { service: ServiceRecord }) {
  const query = useQueries().allowList(id);
  const { data, error, refetch } = useQuery(query);
  return (
    <Panel
      title="Who may connect"
      description="Ranges of addresses from which clients reach the endpoint, the pooler and the read replica sets. From a VPC the service is always reached."
    >
      {error ? (
        <ErrorNotice error={error} title="The list cannot be shown" onRetry={() => void refetch()} />
      ) : data ? (
        <Ranges serviceId={id} saved={data.cidrs} />
      ) : (
        <Skeleton h={150} />
      )}
    </Panel>
  );
}

function Ranges({ serviceId, saved }: { serviceId: string; saved: readonly string[] }) {
  const { queryKey } = useQueries().allowList(serviceId);
  const queryClient = useQueryClient();
  const [draft, setDraft] = useDraft("access");
  const cidrs = draft ? applied(saved, draft) : saved;
  const save = useChange({
    send: (client, next: readonly string[]) => client.setAllowList(serviceId, { cidrs: [...next] }),
    accepted: () => "The list of who may connect was accepted.",
    onAccepted: (list) => {
      queryClient.setQueryData(queryKey, list);
      setDraft(() => null);
    },
  });
  const change = (next: readonly string[]) => {
    save.reset();
    setDraft(() => draftOf(saved, next));
  };
  return (
    <>
      <Warning cidrs={cidrs} />
      <Stack gap="md">
        <ul className={classes["ranges"]}>
          {cidrs.map((cidr) => (
            <Range
              key={cidr}
              cidr={cidr}
              isNew={!saved.includes(cidr)}
              covered={coveredBy(cidr, cidrs)}
              onRemove={() => change(cidrs.filter((other) => other !== cidr))}
            />
          ))}
        </ul>
        <Add cidrs={cidrs} onAdded={change} />
        {save.error && <ErrorNotice error={save.error} title="The list was not changed" />}
        {draft && (
          <Group gap="xs">
            <WriteButton loading={save.isPending} onClick={() => save.mutate(cidrs)}>
              {saveWords(cidrs.length)}
            </WriteButton>
            <Button variant="subtle" color="gray" onClick={() => change(saved)}>
              Discard
            </Button>
            <Text size="sm" c="dimmed">
              Sessions of addresses that are listed no more end; all others notice nothing.
            </Text>
          </Group>
        )}
      </Stack>
    </>
  );
}

function saveWords(count: number): string {
  if (count === 0) return "Save: let nobody in";
  return count === 1 ? "Save 1 range" : `Save ${count} ranges`;
}

function Warning({ cidrs }: { cidrs: readonly string[] }) {
  const open = openRanges(cidrs);
  return (
    <div role="status" className={classes["warning"]}>
      {cidrs.length === 0 && (
        <SettingsNotice mood="warn">
          No range is listed: nobody can connect, except from a VPC.
        </SettingsNotice>
      )}
      {open.length > 0 && (
        <SettingsNotice mood="warn">
          {open.join(" and ")} {open.length === 1 ? "lets" : "let"} every address in: the password alone keeps
          others out. List the addresses of your applications instead.
        </SettingsNotice>
      )}
    </div>
  );
}

interface RangeProps {
  readonly cidr: string;
  readonly isNew: boolean;
  readonly covered: string | null;
  readonly onRemove: () => void;
}

function Range({ cidr, isNew, covered, onRemove }: RangeProps) {
  const mayWrite = useMayWrite();
  const label = `Remove ${cidr}`;
  return (
    <li>
      <span className={classes["cidr"]}>{cidr}</span>
      <Text size="xs" c="dimmed" flex={1}>
        {[
          ...(isNew ? ["not saved yet"] : []),
          ...(covered === null ? [] : [`already within ${covered}`]),
        ].join(", ")}
      </Text>
      <Tooltip label={mayWrite ? label : READ_ONLY}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-disabled={!mayWrite}
          data-disabled={!mayWrite}
          onClick={() => mayWrite && onRemove()}
        >
          <Trash2 size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

interface AddProps {
  readonly cidrs: readonly string[];
  readonly onAdded: (cidrs: readonly string[]) => void;
}

function Add({ cidrs, onAdded }: AddProps) {
  const mayWrite = useMayWrite();
  const [text, setText] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const added = withRanges(cidrs, text);
        setRefused(added.kind === "refused" ? added.message : null);
        if (added.kind === "refused") return;
        setText("");
        onAdded(added.cidrs);
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="An address or a range"
          placeholder="192.0.2.0/24"
          flex="1 1 160px"
          maw={420}
          spellCheck={false}
          autoComplete="off"
          disabled={!mayWrite}
          value={text}
          error={refused}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setRefused(null);
          }}
        />
        <WriteButton type="submit" variant="default" leftSection={<Plus size={15} aria-hidden />}>
          Add
        </WriteButton>
      </Group>
    </form>
  );
}
