/** Where a project begins: nothing is there yet, and one click changes that. */
import { Text } from "@mantine/core";
import { Empty } from "../../ui/empty.tsx";
import { Panel } from "../../ui/panel.tsx";
import { CreateButton } from "./create-button.tsx";
import classes from "./no-services.module.css";

export function NoServices() {
  return (
    <Panel>
      <Empty icon={<Picture />} title="No services yet" action={<CreateButton />}>
        <Text span>
          A service is a PostgreSQL database of your own, with an endpoint, a password and as many replicas as
          you like. It takes a few seconds to make one.
        </Text>
      </Empty>
    </Panel>
  );
}

/** A canopy over three databases, of which one is only hinted at: the one to come. */
function Picture() {
  return (
    <svg className={classes["picture"]} viewBox="0 0 220 132" role="presentation">
      <path className={classes["canopy"]} d="M22 52C44 20 78 10 110 10s66 10 88 42Z" />
      <path className={classes["post"]} d="M40 56v56M180 56v56" />
      <path className={classes["floor"]} d="M18 118h184" />
      <Database x={66} />
      <Database x={110} hinted />
      <Database x={154} />
    </svg>
  );
}

function Database({ x, hinted = false }: { x: number; hinted?: boolean }) {
  return (
    <g className={hinted ? classes["hinted"] : classes["database"]} transform={`translate(${x - 15} 70)`}>
      <path d="M0 6v30c0 4 7 7 15 7s15-3 15-7V6" />
      <path d="M0 21c0 4 7 7 15 7s15-3 15-7" />
      <ellipse cx="15" cy="6" rx="15" ry="6" />
    </g>
  );
}
