/** A read replica set: its nodes, behind an endpoint of their own. */
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { Copy } from "../../../../ui/copy.tsx";
import type { SetBox } from "./layout.ts";
import { MemberCard } from "./member-card.tsx";
import type { DrawnSet } from "./picture.ts";
import { placed } from "./placed.ts";
import classes from "./topology.module.css";
import { addressOf } from "./way-in.tsx";

export interface SetFrameProps {
  readonly service: ServiceRecord;
  readonly set: DrawnSet;
  readonly place: SetBox;
}

export function SetFrame({ service, set, place }: SetFrameProps) {
  const record = service.read_replica_sets?.find(({ id }) => id === set.id);
  const address = addressOf(record?.endpoint);
  const origin = place.box;
  return (
    <li className={classes["set"]} style={placed(origin)}>
      <div className={classes["head"]}>
        <div className={classes["about"]}>
          <Anchor
            className={classes["name"]}
            title={set.name}
            c="inherit"
            renderRoot={(props) => (
              <Link to="/services/$serviceId" params={{ serviceId: set.id }} {...props} />
            )}
          >
            {set.name}
          </Anchor>
          <span className={classes["state"]}>
            Read replica set{set.serving === false && ", leads nowhere now"}
          </span>
        </div>
        {address !== null && (
          <span className={classes["address"]}>
            <span title={address}>{address}</span>
            <Copy text={address} what={`the address of ${set.name}`} />
          </span>
        )}
      </div>
      <ul className={classes["list"]} aria-label={`Nodes of ${set.name}`}>
        {set.members.map((member, index) => {
          const box = place.nodes[index];
          return (
            box && (
              <MemberCard
                key={member.id}
                serviceId={set.id}
                member={member}
                telling
                box={{ ...box, x: box.x - origin.x, y: box.y - origin.y }}
              />
            )
          );
        })}
      </ul>
    </li>
  );
}
