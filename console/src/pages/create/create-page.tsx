/** A new service: what it shall be, and what will happen, before it does. */
import { ActionIcon, SegmentedControl, Skeleton, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Shuffle } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { RegionRecord, ServiceRecord } from "../../../../src/client/index.ts";
import { useQueries } from "../../data/queries.ts";
import { useMayWrite } from "../../session/client.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ENVIRONMENTS, isEnvironment } from "../../ui/environments.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { nameProblem } from "../../ui/name-problem.ts";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { AddonCards } from "./addon-cards.tsx";
import classes from "./create.module.css";
import { type Draft, mostReplicas, regionOf, sizesOf, usualSize } from "./draft.ts";
import { proposeName } from "./names.ts";
import { RegionCards } from "./region-cards.tsx";
import { ReplicaCards } from "./replica-cards.tsx";
import { SizeCards } from "./size-cards.tsx";
import { useCreate } from "./use-create.ts";
import { WhatWillHappen } from "./what-will-happen.tsx";

export function CreatePage() {
  const queries = useQueries();
  const mayWrite = useMayWrite();
  const regions = useQuery(queries.regions);
  const services = useQuery(queries.services);
  return (
    <Page title="Create a service" {...(mayWrite ? {} : { description: READ_ONLY_HERE })}>
      {regions.data ? (
        regions.data.length === 0 ? (
          <Empty icon={null} title="No region has said yet what it has">
            This page goes on by itself as soon as one has.
          </Empty>
        ) : (
          <Form regions={regions.data} services={services.data ?? []} />
        )
      ) : regions.error ? (
        <ErrorNotice
          error={regions.error}
          title="Nothing is known of the regions"
          onRetry={() => void regions.refetch()}
        />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

const READ_ONLY_HERE = "This API key may only read: look around, nothing can be created with it.";

interface FormProps {
  readonly regions: readonly RegionRecord[];
  readonly services: readonly ServiceRecord[];
}

function Form({ regions, services }: FormProps) {
  const [draft, setDraft] = useState<Draft>(() => begin(regions, services));
  const [left, setLeft] = useState(false);
  const create = useCreate();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const region = regionOf(regions, draft.region);
  const sizes = region ? sizesOf(region) : [];
  const size = sizes.find(({ id }) => id === draft.size) ?? sizes[0];
  if (!region || !size) return null;
  const { name, replicas, synchronous } = draft;
  const problem = nameProblem(name.trim());
  const most = mostReplicas(region, size);
  const fits = replicas <= most;
  return (
    <form
      className={classes["columns"]}
      onSubmit={(event) => {
        event.preventDefault();
        setLeft(true);
        if (problem === null && fits && !create.isPending) create.mutate({ ...draft, name: name.trim() });
      }}
    >
      <Stack gap="lg">
        <Panel>
          <NameField
            name={name}
            problem={left || name.length > 100 ? problem : null}
            taken={services.some((service) => service.name === name.trim())}
            onChange={(text) => change({ name: text })}
            onLeave={() => setLeft(true)}
            onPropose={() => change({ name: proposeName(namesOf(services)) })}
          />
        </Panel>
        <Section
          title="Add-ons"
          description="Without any, it is plain PostgreSQL. They cannot be changed later."
        >
          <AddonCards value={draft.addons} onChange={(addons) => change({ addons })} />
        </Section>
        {regions.length > 1 && (
          <Section title="Region" description="Where it runs. It stays there.">
            <RegionCards
              regions={regions}
              value={region.code}
              onChange={(code) => {
                const next = regionOf(regions, code);
                const kept = next && sizesOf(next).some(({ id }) => id === draft.size);
                change({ region: code, ...(next && !kept ? { size: usualSize(next) } : {}) });
              }}
            />
          </Section>
        )}
        <Section title="Size" description="Of each node. It can be changed while the service runs.">
          <SizeCards
            sizes={sizes}
            members={1 + replicas}
            value={size.id}
            onChange={(id) => change({ size: id })}
          />
        </Section>
        <Section
          title="Replicas"
          description="More nodes with the same data. They can be added and taken away while the service runs."
        >
          <ReplicaCards
            replicas={replicas}
            synchronous={synchronous}
            most={most}
            onChange={(count, sync) => change({ replicas: count, synchronous: sync })}
          />
        </Section>
        <Section title="Environment" description="A mark for people and programs; the service runs the same.">
          <SegmentedControl
            aria-label="Environment"
            value={draft.environment}
            onChange={(environment) => isEnvironment(environment) && change({ environment })}
            data={[...ENVIRONMENTS]}
          />
        </Section>
      </Stack>
      <div className={classes["aside"]}>
        <Panel title="What will happen">
          <Stack>
            <WhatWillHappen draft={draft} size={size} region={region.code} />
            {create.error && <ErrorNotice error={create.error} title="The service was not created" />}
            <WriteButton
              type="submit"
              fullWidth
              loading={create.isPending}
              unavailable={
                fits ? null : "The region has no room for this now: take a smaller size, or fewer replicas."
              }
            >
              Create the service
            </WriteButton>
            <Text size="xs" c="dimmed">
              Its password is shown on the next page, this one time.
            </Text>
          </Stack>
        </Panel>
      </div>
    </form>
  );
}

function begin(regions: readonly RegionRecord[], services: readonly ServiceRecord[]): Draft {
  const region = regionOf(regions, null);
  return {
    name: proposeName(namesOf(services)),
    addons: ["time-series"],
    region: regions.length > 1 ? (region?.code ?? null) : null,
    size: region ? usualSize(region) : "shared",
    replicas: 0,
    synchronous: 0,
    environment: "DEV",
  };
}

function namesOf(services: readonly ServiceRecord[]): ReadonlySet<string> {
  return new Set(services.map(({ name }) => name));
}

interface SectionProps {
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
}

function Section({ title, description, children }: SectionProps) {
  return (
    <Panel title={title} description={description}>
      {children}
    </Panel>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly problem: string | null;
  readonly taken: boolean;
  readonly onChange: (name: string) => void;
  readonly onLeave: () => void;
  readonly onPropose: () => void;
}

function NameField({ name, problem, taken, onChange, onLeave, onPropose }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      description={taken ? "Another service has this name. That is allowed; ids tell them apart." : null}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={name}
      error={problem}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
      onFocus={(event) => event.currentTarget.select()}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      rightSection={
        <Tooltip label="Suggest another">
          <ActionIcon variant="subtle" color="gray" aria-label="Suggest another" onClick={onPropose}>
            <Shuffle size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}

function Waiting() {
  return (
    <div className={classes["columns"]} aria-hidden>
      <Stack gap="lg">
        <Skeleton h={98} radius="lg" />
        <Skeleton h={170} radius="lg" />
        <Skeleton h={330} radius="lg" />
      </Stack>
      <Skeleton h={460} radius="lg" />
    </div>
  );
}
