/** PostgreSQL's own settings: found, changed several at once, and previewed. */
import { Button, Group, Modal, SegmentedControl, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useCallback, useState } from "react";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { useQueries } from "../../../../data/queries.ts";
import { useChange } from "../../../../data/use-change.ts";
import { useMayWrite } from "../../../../session/client.tsx";
import { ChangeReview } from "../../../../ui/change-review.tsx";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { useDraft } from "../../drafts.tsx";
import { bodyOf, changesOf, type Draft, type Filter, isShown, refusedOf, withChange } from "./draft.ts";
import { ParameterRow } from "./parameter-row.tsx";
import classes from "./parameters.module.css";
import type { ParameterRecord } from "./value.ts";

export function ParametersSection({ service: { service_id: id } }: { service: ServiceRecord }) {
  const { data, error, refetch } = useQuery(useQueries().parameters(id));
  return (
    <Panel
      flush
      title="Parameters"
      description="PostgreSQL's own settings, by its own names. What nobody has chosen follows the size of the service."
    >
      {error ? (
        <ErrorNotice error={error} title="The parameters cannot be shown" onRetry={() => void refetch()} />
      ) : data ? (
        <Parameters serviceId={id} parameters={data.parameters} />
      ) : (
        <Stack p="lg" gap="md">
          <Skeleton h={36} maw={420} />
          <Skeleton h={480} />
        </Stack>
      )}
    </Panel>
  );
}

interface ParametersProps {
  readonly serviceId: string;
  readonly parameters: readonly ParameterRecord[];
}

const NO_CHANGES: Draft = {};

function Parameters({ serviceId, parameters }: ParametersProps) {
  const mayWrite = useMayWrite();
  const [kept, setDraft] = useDraft("parameters");
  const draft = kept ?? NO_CHANGES;
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const change = useCallback(
    (parameter: ParameterRecord, value: string | null) =>
      setDraft((now) => {
        const next = withChange(now ?? NO_CHANGES, parameter, value);
        return Object.keys(next).length === 0 ? null : next;
      }),
    [setDraft],
  );
  const shown = parameters.filter((parameter) => isShown(parameter, draft, filter, search));
  return (
    <>
      <Filters {...{ search, setSearch, filter, setFilter }} />
      <ul className={classes["list"]}>
        {shown.map((parameter) => (
          <ParameterRow
            key={parameter.name}
            parameter={parameter}
            drafted={draft[parameter.name]}
            mayWrite={mayWrite}
            onChange={change}
          />
        ))}
      </ul>
      {shown.length === 0 && (
        <Text c="dimmed" size="sm" p="lg" role="status">
          {filter === "chosen" && search === ""
            ? "None was chosen: all follow the size."
            : "No parameter is like that."}
        </Text>
      )}
      <Gathered
        serviceId={serviceId}
        parameters={parameters}
        draft={draft}
        onDone={() => setDraft(() => null)}
      />
    </>
  );
}

interface FiltersProps {
  readonly search: string;
  readonly setSearch: (search: string) => void;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

function Filters({ search, setSearch, filter, setFilter }: FiltersProps) {
  return (
    <Group gap="xs" className={classes["filters"]}>
      <TextInput
        aria-label="Search the parameters"
        placeholder="Search"
        leftSection={<Search size={15} aria-hidden />}
        flex="1 1 200px"
        maw={420}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Which parameters"
        value={filter}
        data={[
          { value: "all", label: "All" },
          { value: "chosen", label: "Chosen" },
          { value: "changed", label: "Not saved" },
        ]}
        onChange={(next) => setFilter(next)}
      />
    </Group>
  );
}

interface GatheredProps extends ParametersProps {
  readonly draft: Draft;
  readonly onDone: () => void;
}

function Gathered({ serviceId, parameters, draft, onDone }: GatheredProps) {
  const [opened, dialog] = useDisclosure();
  const queryClient = useQueryClient();
  const { queryKey } = useQueries().parameters(serviceId);
  const save = useChange({
    send: (client, next: Draft) => client.changeParameters(serviceId, bodyOf(next)),
    accepted: (_, next) => `Accepted: ${countWords(Object.keys(next).length)}.`,
    onAccepted: (answer) => {
      queryClient.setQueryData(queryKey, answer);
      dialog.close();
      onDone();
    },
  });
  const changes = changesOf(draft, parameters);
  const refused = refusedOf(draft, parameters);
  return (
    <div role="status" className={classes["place"]}>
      {changes.length > 0 && (
        <div className={classes["bar"]}>
          <Text size="sm" fw={600}>
            {countWords(changes.length)}
          </Text>
          <Button
            disabled={refused.length > 0}
            onClick={() => {
              save.reset();
              dialog.open();
            }}
          >
            Review
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Discard
          </Button>
          {refused.length > 0 && (
            <Text size="sm" c="var(--mantine-color-error)">
              {refused.join(", ")}: not a value that is accepted.
            </Text>
          )}
        </div>
      )}
      <Modal opened={opened} onClose={dialog.close} title="Change the parameters" size="lg">
        <Stack gap="md">
          <ul className={classes["changes"]}>
            {changes.map(({ name, from, to, cleared }) => (
              <li key={name}>
                <code>{name}</code>: {from} → <strong>{to}</strong>
                {cleared && ", as the size has it"}
              </li>
            ))}
          </ul>
          <ChangeReview
            bare
            serviceId={serviceId}
            change={{ operation: "parameters", body: bodyOf(draft) }}
            action={`Make ${countWords(changes.length)}`}
            failed="No parameter was changed"
            sent={save}
            onApply={() => save.mutate(draft)}
            onDiscard={dialog.close}
            discard="Go on editing"
          />
        </Stack>
      </Modal>
    </div>
  );
}

function countWords(count: number): string {
  return count === 1 ? "1 change" : `${count} changes`;
}
