/** One line of the log; opened, all of what belongs to it. */
import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { Copy } from "../../../ui/copy.tsx";
import { exactly } from "../../../ui/moment.tsx";
import { highlighted, type LogLine, moodOf, textOf } from "./log-lines.ts";
import classes from "./logs.module.css";

const clock = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

export interface LogRowProps {
  readonly line: LogLine;
  readonly words: readonly string[];
  readonly open: boolean;
  /** Told apart by their names where there are several. */
  readonly showNode: boolean;
}

export const LogRow = memo(function LogRow({ line, words, open, showNode }: LogRowProps) {
  const { timestamp, severity, message, node } = line;
  const [first = "", ...more] = message.split("\n");
  return (
    <>
      <div className={classes["line"]}>
        <ChevronRight size={13} aria-hidden className={classes["chevron"]} data-open={open || undefined} />
        <time dateTime={timestamp} title={exactly(timestamp)}>
          {clock.format(new Date(timestamp))}
        </time>
        <span className={classes["severity"]} data-mood={moodOf(severity)}>
          {severity}
        </span>
        {showNode && <span className={classes["node"]}>{node}</span>}
        <span className={classes["message"]} data-open={open || undefined}>
          <Marked text={first} words={words} />
        </span>
      </div>
      {open && (
        <div className={classes["more"]}>
          <div>
            {more.length > 0 && (
              <pre>
                <Marked text={more.join("\n")} words={words} />
              </pre>
            )}
            <small>
              {exactly(timestamp)} · {timestamp}
              {node !== undefined && ` · ${node}`}
            </small>
          </div>
          <Copy text={textOf(line)} what="the line" />
        </div>
      )}
    </>
  );
});

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return highlighted(text, words).map((piece, index) =>
    // The pieces of a line never change their places.
    piece.found ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
  );
}
