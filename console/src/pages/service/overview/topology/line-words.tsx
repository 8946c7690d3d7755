/** What stands at the line of a replica. The cards tell the same to who cannot see it. */
import type { FollowerLine, Layout } from "./layout.ts";
import type { DrawnMember, LinkKind } from "./picture.ts";
import { placed } from "./placed.ts";
import classes from "./topology.module.css";

const WORDS: Readonly<Record<LinkKind, string>> = {
  synchronous: "synchronous",
  asynchronous: "asynchronous",
  broken: "not streaming",
  coming: "",
};

export interface LineWordsProps {
  readonly member: DrawnMember;
  readonly line: FollowerLine;
  readonly shape: Layout["shape"];
}

export function LineWords({ member, line, shape }: LineWordsProps) {
  const { link, lag } = member;
  return (
    <div
      className={classes["words"]}
      data-kind={link}
      data-shape={shape}
      style={placed(line.label)}
      aria-hidden
    >
      <span>{WORDS[link]}</span>
      {lag !== null && <span className={classes["lag"]}>{lag}</span>}
    </div>
  );
}
