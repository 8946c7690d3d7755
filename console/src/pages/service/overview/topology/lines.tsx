/** The lines of the picture. What they tell stands in words beside them and in the cards. */
import { useId } from "react";
import type { Layout } from "./layout.ts";
import type { LinkKind, Picture } from "./picture.ts";
import classes from "./topology.module.css";

type LineKind = LinkKind | "access" | "down";

const ARROWS: readonly LineKind[] = ["access", "down", "synchronous", "asynchronous", "broken", "coming"];

export interface LinesProps {
  readonly layout: Layout;
  readonly picture: Picture;
  readonly width: number;
}

export function Lines({ layout, picture, width }: LinesProps) {
  const id = useId();
  const line = (key: string, kind: LineKind, path: string | null | undefined) =>
    path ? (
      <path
        key={key}
        className={classes["line"]}
        data-kind={kind}
        d={path}
        markerEnd={`url(#${id}${kind})`}
      />
    ) : null;
  const way = wayOf(picture);
  const pooled = picture.pooler?.mood === "bad" ? "down" : way;
  return (
    <svg className={classes["lines"]} width={width} height={layout.height} aria-hidden>
      <defs>
        {ARROWS.map((kind) => (
          <marker
            key={kind}
            id={`${id}${kind}`}
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path className={classes["arrow"]} data-kind={kind} d="M0.5 0.5 8 4 0.5 7.5Z" />
          </marker>
        ))}
      </defs>
      {line("access", way === "coming" ? "coming" : "access", layout.access)}
      {layout.leads.map((path, index) => line(`leads ${index}`, leadsKind(picture, index), path))}
      {line("to pooler", pooled === "down" ? "down" : way, layout.toPooler)}
      {line("from pooler", pooled, layout.fromPooler)}
      {layout.sets.map(({ path }, index) =>
        line(`set ${picture.sets[index]?.id ?? index}`, setKind(picture, index), path),
      )}
      {/* Solid lines last: they cover where several share a way. */}
      {picture.followers
        .map((member, index) => ({ member, path: layout.lines[index]?.path }))
        .toSorted((a, b) => ORDER.indexOf(a.member.link) - ORDER.indexOf(b.member.link))
        .map(({ member, path }) => line(member.id, member.link, path))}
    </svg>
  );
}

const ORDER: readonly LinkKind[] = ["coming", "broken", "asynchronous", "synchronous"];

function wayOf({ gatewayMood }: Picture): LineKind {
  if (gatewayMood === "calm") return "coming";
  return gatewayMood === "good" ? "access" : "down";
}

/** To the primary; or to each node of a set, of which those that do not stream are left out. */
function leadsKind(picture: Picture, index: number): LineKind {
  const { leader, followers } = picture;
  if (leader) return wayOf(picture);
  const link = followers[index]?.link;
  return link === "coming" || link === "broken" ? link : wayOf(picture);
}

function setKind({ sets, leader }: Picture, index: number): LineKind {
  const members = sets[index]?.members ?? [];
  if (members.every(({ link }) => link === "coming")) return "coming";
  return leader?.leads === true &&
    members.some(({ link }) => link === "asynchronous" || link === "synchronous")
    ? "asynchronous"
    : "broken";
}
