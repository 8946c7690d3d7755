/** Everything that can be changed about a service, one section at a time. */
import { Box, NativeSelect, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { useUnsaved } from "../drafts.tsx";
import { AccessSection } from "./access-section.tsx";
import { DangerSection } from "./danger-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { ParametersSection } from "./parameters/parameters-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { PoolerSection } from "./pooler-section.tsx";
import { ReadReplicaSetsSection } from "./replica-sets/read-replica-sets-section.tsx";
import { StandbySettings } from "./replica-sets/standby-settings.tsx";
import { ReplicasSection } from "./replicas-section.tsx";
import { SECTIONS, type SectionId, sectionOf } from "./sections.ts";
import { SettingsNotice } from "./settings-notice.tsx";
import classes from "./settings-tab.module.css";
import { SizeSection } from "./size-section.tsx";
import { UnderWay } from "./under-way.tsx";
import { VpcSection } from "./vpc-section.tsx";

const CONTENT: Readonly<Record<SectionId, ComponentType<{ service: ServiceRecord }>>> = {
  general: GeneralSection,
  password: PasswordSection,
  size: SizeSection,
  replicas: ReplicasSection,
  pooler: PoolerSection,
  parameters: ParametersSection,
  access: AccessSection,
  "read-replica-sets": ReadReplicaSetsSection,
  vpc: VpcSection,
  danger: DangerSection,
};

export function SettingsTab() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId" });
  const { data: service } = useQuery(useQueries().service(serviceId));
  const mayWrite = useMayWrite();
  const section = sectionOf(useLocation({ select: ({ hash }) => hash }));
  if (!service) return <Skeleton h={320} />;
  const standby = service.forked_from?.is_standby === true;
  const Content = CONTENT[section];
  return (
    <div className={standby ? undefined : classes["frame"]}>
      {!standby && <Choice serviceId={serviceId} section={section} />}
      <div className={classes["content"]} data-wide={section === "parameters" || undefined}>
        <UnderWay serviceId={serviceId} />
        <Stack gap="md">
          {!mayWrite && (
            <SettingsNotice>
              This API key may only read: everything is shown, and nothing can be changed.
            </SettingsNotice>
          )}
          {standby ? (
            <StandbySettings service={service} />
          ) : (
            <Content key={`${serviceId} ${section}`} service={service} />
          )}
        </Stack>
      </div>
    </div>
  );
}

function Choice({ serviceId, section }: { serviceId: string; section: SectionId }) {
  const navigate = useNavigate();
  const unsaved = useUnsaved();
  return (
    <>
      <Box component="nav" aria-label="Settings" className={classes["sections"]}>
        {SECTIONS.map(({ id, title }) => (
          <Link
            key={id}
            to="/services/$serviceId/settings"
            params={{ serviceId }}
            hash={id}
            activeOptions={{ includeHash: true }}
            className={classes["section"]}
            data-active={id === section || undefined}
            aria-current={id === section ? "true" : undefined}
          >
            {title}
            {unsaved.includes(title) && <span className={classes["unsaved"]}>not saved</span>}
          </Link>
        ))}
      </Box>
      <NativeSelect
        className={classes["choice"]}
        label="Section"
        value={section}
        data={SECTIONS.map(({ id, title }) => ({
          value: id,
          label: unsaved.includes(title) ? `${title}, not saved` : title,
        }))}
        onChange={(event) =>
          void navigate({
            to: "/services/$serviceId/settings",
            params: { serviceId },
            hash: event.currentTarget.value,
          })
        }
      />
    </>
  );
}
