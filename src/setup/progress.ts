/** Says what a step is busy with right now; called as often as one likes. */
export type Report = (detail: string) => void;

export interface Progress {
  /** Runs a step of the set-up and shows it; whatever it throws is shown as failed and thrown on. */
  step<T>(title: string, run: (report: Report) => Promise<T>): Promise<T>;
}

/** What a reporter needs of a terminal: `process.stdout` has it, so has a test's array of strings. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly output: ProgressOutput;
  /** False where NO_COLOR asks for none. Without a terminal there is none anyway. */
  readonly color: boolean;
  /** Milliseconds that only ever go forward. */
  readonly now?: () => number;
}

type Outcome = "done" | "failed";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const PLAIN_LINE_EVERY_MS = 5_000;
const CLEAR_LINE = "\r\u001b[2K";
const DEFAULT_COLUMNS = 80;

// Terminal escapes (colours, cursor moves, titles) that the output of apt and friends may carry.
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** One printable line of whatever another program wrote. */
export function cleanDetail(detail: string): string {
  return detail.replace(ESCAPES, "").replace(CONTROLS, " ").replace(/ +/g, " ").trim();
}

/** Cuts to a number of characters, and shows by … that something is missing. */
export function truncate(text: string, columns: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (characters.length <= columns) return text;
  return columns < 1 ? "" : `${characters.slice(0, columns - 1).join("")}…`;
}

/** As short as people say it: 0.4 s, 12 s, 2 min 5 s. */
export function renderDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function renderLive(
  line: { title: string; detail: string; elapsedMs: number; frame: number },
  columns: number,
  color: boolean,
): string {
  const seconds = `${Math.floor(line.elapsedMs / 1_000)} s`;
  const text = `${line.title} (${seconds})${line.detail === "" ? "" : `  ${line.detail}`}`;
  // One column stays free: a terminal that wraps at the last one would leave a line behind for each frame.
  return `${paint(FRAMES[line.frame % FRAMES.length] ?? "-", "36", color)} ${truncate(text, columns - 3)}`;
}

export function renderEnd(
  line: { title: string; outcome: Outcome; elapsedMs: number },
  columns: number,
  color: boolean,
): string {
  const mark = line.outcome === "done" ? paint("✔", "32", color) : paint("✘", "31", color);
  return `${mark} ${truncate(`${line.title} (${renderDuration(line.elapsedMs)})`, columns - 3)}`;
}

function paint(text: string, code: string, color: boolean): string {
  return color ? `\u001b[${code}m${text}\u001b[0m` : text;
}

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
    const columns = () => output.columns ?? DEFAULT_COLUMNS;
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
