/** The process that does all this, and the settings that it was started with. */
import { Text } from "@mantine/core";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./operator-page.module.css";

export function ControlPlane({ controlPlane }: { controlPlane: OverviewRecord["control_plane"] }) {
  const { version, started_at, state_database: database, settings } = controlPlane;
  return (
    <Panel title="Control plane">
      <dl className={classes["facts"]}>
        <div>
          <dt>Version</dt>
          <dd>{version}</dd>
        </div>
        <div>
          <dt>Running since</dt>
          <dd>
            <Moment at={started_at} />
          </dd>
        </div>
        <div>
          <dt>State database</dt>
          <dd>
            PostgreSQL {database.version}, {database.size_mb} MB, answers in {database.latency_ms} ms
          </dd>
        </div>
      </dl>
      {settings.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mt="lg" mb={6}>
            Settings, as environment variables. They change with a restart.
          </Text>
          <dl className={classes["settings"]}>
            {settings.map(({ name, value, meaning }) => (
              <div key={name}>
                <dt>
                  <span className={classes["code"]}>{name}</span>
                  <Text size="xs" c="dimmed">
                    {meaning}
                  </Text>
                </dt>
                <dd className={classes["code"]}>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Panel>
  );
}
