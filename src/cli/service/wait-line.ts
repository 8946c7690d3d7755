/** Tells what a service is doing while somebody waits for it: one live line on a terminal, elsewhere a line a step. */
import type { WaitProgress } from "../../client/index.ts";
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
} from "../../lib/progress-line.ts";

export interface WaitLine {
  tell(progress: WaitProgress): void;
  /** @param sentence such as "orders is READY" */
  end(outcome: Outcome, sentence: string): void;
}

export interface WaitLineOptions {
  readonly output: TerminalOutput;
  readonly color: boolean;
  /** Whom it is about. */
  readonly name: string;
}

export function startWaitLine(options: WaitLineOptions): WaitLine {
  return options.output.isTTY === true ? liveLine(options) : plainLines(options);
}

function liveLine({ output, color, name }: WaitLineOptions): WaitLine {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const columns = () => output.columns || DEFAULT_COLUMNS;
  let status = "";
  let detail = "";
  let frame = 0;
  const draw = () => {
    const title = `${cleanDetail(name)} ${status}`.trimEnd();
    const line = renderLive({ title, detail, elapsedMs: elapsedMs(), frame }, columns(), color);
    output.write(CLEAR_LINE + line);
    frame += 1;
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  return {
    tell(progress) {
      status = progress.status;
      const latest = progress.events.at(-1)?.message;
      detail = cleanDetail(progress.problem ?? latest ?? (detail || progress.reason));
    },
    end(outcome, sentence) {
      clearInterval(timer);
      const line = { title: cleanDetail(sentence), outcome, elapsedMs: elapsedMs() };
      output.write(`${CLEAR_LINE}${renderEnd(line, columns(), color)}\n`);
    },
  };
}

function plainLines({ output }: WaitLineOptions): WaitLine {
  const startedAt = performance.now();
  const elapsed = () => renderDuration(performance.now() - startedAt);
  let problem: string | null = null;
  return {
    tell(progress) {
      const troubled = progress.problem !== null && progress.problem !== problem ? [progress.problem] : [];
      problem = progress.problem;
      for (const message of [...progress.events.map((event) => event.message), ...troubled])
        output.write(`${elapsed().padStart(6)}  ${cleanDetail(message)}\n`);
    },
    end(_outcome, sentence) {
      output.write(`${elapsed().padStart(6)}  ${cleanDetail(sentence)}.\n`);
    },
  };
}
