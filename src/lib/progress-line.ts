/** The line that tells what is going on. Pure. */

/** What a reporter needs of a terminal: `process.stdout` has it, so has a test's array of strings. */
export interface TerminalOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type Outcome = "done" | "failed";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const FRAME_MS = 100;
export const CLEAR_LINE = "\r\u001b[2K";
/** Where a terminal does not say how wide it is, or says 0. */
export const DEFAULT_COLUMNS = 80;

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

/** @param code of SGR: 32 is green */
export function paint(text: string, code: string, color: boolean): string {
  return color ? `\u001b[${code}m${text}\u001b[0m` : text;
}
