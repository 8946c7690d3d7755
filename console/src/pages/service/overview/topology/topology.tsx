/** The service as a picture: who leads, who follows and how far behind, and the way in. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { useQueries } from "../../../../data/queries.ts";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { Moment } from "../../../../ui/moment.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { layOut } from "./layout.ts";
import { LineWords } from "./line-words.tsx";
import { Lines } from "./lines.tsx";
import { MemberCard } from "./member-card.tsx";
import { type Picture, pictureOf, sentenceOf } from "./picture.ts";
import { SetFrame } from "./set-frame.tsx";
import classes from "./topology.module.css";
import { useWidth } from "./use-width.ts";
import { WayIn } from "./way-in.tsx";

export function Topology({ service }: { service: ServiceRecord }) {
  const [ref, width] = useWidth();
  const { picture, error, retry } = usePicture(service);
  return (
    <Panel
      title="Topology"
      description={<span role="status">{sentenceOf(picture)}</span>}
      actions={
        picture.asOf !== null && (
          <Text size="xs" c="dimmed">
            Seen <Moment at={picture.asOf} />
          </Text>
        )
      }
    >
      {error && (
        <div className={classes["error"]}>
          <ErrorNotice error={error} title="What runs cannot be told" onRetry={retry} />
        </div>
      )}
      <div ref={ref}>{width > 0 && <Drawing service={service} picture={picture} width={width} />}</div>
    </Panel>
  );
}

interface DrawingProps {
  readonly service: ServiceRecord;
  readonly picture: Picture;
  /** CSS pixels. */
  readonly width: number;
}

function Drawing({ service, picture, width }: DrawingProps) {
  const { leader, followers, sets } = picture;
  const layout = layOut({
    width,
    leader: leader !== null,
    followers: followers.length,
    pooler: picture.pooler !== null,
    sets: sets.map(({ members }) => members.length),
  });
  const placed = followers.flatMap((member, index) => {
    const [box, line] = [layout.followers[index], layout.lines[index]];
    return box ? [{ member, box, line }] : [];
  });
  const own = leader && layout.leader ? [{ member: leader, box: layout.leader, line: undefined }] : [];
  // In an order that does not follow the lead: elements that move about in the page lose the focus.
  const members = [...own, ...placed].toSorted((a, b) => (a.member.id < b.member.id ? -1 : 1));
  return (
    <div className={classes["picture"]} style={{ height: layout.height }} data-shape={layout.shape}>
      <Lines layout={layout} picture={picture} width={width} />
      {placed.map(
        ({ member, line }) =>
          line && <LineWords key={member.id} member={member} line={line} shape={layout.shape} />,
      )}
      <ul className={classes["list"]} aria-label="What the service consists of">
        <WayIn service={service} picture={picture} layout={layout} />
        {members.map(({ member, box }) => (
          <MemberCard
            key={member.id}
            serviceId={service.service_id}
            member={member}
            box={box}
            telling={leader === null}
          />
        ))}
        {sets.map((set, index) => {
          const place = layout.sets[index];
          return place && <SetFrame key={set.id} service={service} set={set} place={place} />;
        })}
      </ul>
    </div>
  );
}

function usePicture(service: ServiceRecord) {
  const queries = useQueries();
  const { data: nodes, error, refetch } = useQuery(queries.nodes(service.service_id));
  const [ledLast, remember] = useState<string | null>(null);
  const leads = nodes?.nodes.find(({ role }) => role === "primary")?.name ?? null;
  if (leads !== null && leads !== ledLast) remember(leads);
  const readers = service.forked_from?.is_standby === true;
  const picture = pictureOf({
    nodes,
    expected: {
      nodes: 1 + (service.ha_replicas?.replica_count ?? 0),
      sets: service.read_replica_sets ?? [],
    },
    readers,
    ledLast,
    status: service.status,
  });
  return { picture, error, retry: () => void refetch() };
}
