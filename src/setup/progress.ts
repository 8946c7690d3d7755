import {
  CLEAR_LINE,
  cleanDetail,
  DEFAULT_COLUMNS,
  FRAME_MS,
  type Outcome,
  renderDuration,
  renderEnd,
  renderLive,
  type TerminalOutput,
} from "../lib/progress-line.ts";

/** Says what a step is busy with right now; called as often as one likes. */
export type Report = (detail: string) => void;

export interface Progress {
  /** Runs a step of the set-up and shows it; whatever it throws is shown as failed and thrown on. */
  step<T>(title: string, run: (report: Report) => Promise<T>): Promise<T>;
}

export interface ProgressOptions {
  readonly output: TerminalOutput;
  /** False where NO_COLOR asks for none. Without a terminal there is none anyway. */
  readonly color: boolean;
  /** Milliseconds that only ever go forward. */
  readonly now?: () => number;
}

const PLAIN_LINE_EVERY_MS = 5_000;

/** On a terminal one live line a step; elsewhere plain lines, at most one in five seconds. */
export function createProgress(options: ProgressOptions): Progress {
  const now = options.now ?? (() => performance.now());
  const display = options.output.isTTY === true ? liveDisplay(options, now) : plainDisplay(options, now);
  return {
    async step(title, run) {
      const shown = display(title);
      try {
        const result = await run((detail) => shown.report(cleanDetail(detail)));
        shown.end("done");
        return result;
      } catch (error) {
        shown.end("failed");
        throw error;
      }
    },
  };
}

type Display = (title: string) => { report: Report; end: (outcome: Outcome) => void };

function liveDisplay({ output, color }: ProgressOptions, now: () => number): Display {
  return (title) => {
    const startedAt = now();
    let detail = "";
    let frame = 0;
    const columns = () => output.columns || DEFAULT_COLUMNS;
    const draw = () => {
      const line = { title, detail, elapsedMs: now() - startedAt, frame };
      output.write(CLEAR_LINE + renderLive(line, columns(), color));
      frame += 1;
    };
    draw();
    const timer = setInterval(draw, FRAME_MS);
    timer.unref();
    return {
      report: (latest) => {
        detail = latest;
      },
      end: (outcome) => {
        clearInterval(timer);
        const line = { title, outcome, elapsedMs: now() - startedAt };
        output.write(`${CLEAR_LINE}${renderEnd(line, columns(), color)}\n`);
      },
    };
  };
}

function plainDisplay({ output }: ProgressOptions, now: () => number): Display {
  return (title) => {
    const startedAt = now();
    let detail = "";
    let shown = "";
    output.write(`${title} …\n`);
    const timer = setInterval(() => {
      if (detail === shown) return;
      shown = detail;
      output.write(`  ${renderDuration(now() - startedAt)}  ${detail}\n`);
    }, PLAIN_LINE_EVERY_MS);
    timer.unref();
    return {
      report: (latest) => {
        detail = latest;
      },
      end: (outcome) => {
        clearInterval(timer);
        output.write(`${title}: ${outcome} in ${renderDuration(now() - startedAt)}\n`);
      },
    };
  };
}
