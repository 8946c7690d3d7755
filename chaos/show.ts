/** Shows a run while it goes on: what happens now as lines, and below them how the services fare. */
export interface Show {
  line(text: string): void;
  /** Ends what is redrawn; lines can still be written. */
  end(): void;
}

export interface ShowOptions {
  readonly output: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  /** The lines of the moment. */
  readonly status: () => readonly string[];
}

const REDRAW_MS = 500;
const PLAIN_EVERY_MS = 10_000;

/** On a terminal the status is redrawn in its place; elsewhere it is written every ten seconds. */
export function createShow({ output, status }: ShowOptions): Show {
  const live = output.isTTY === true;
  let drawn = 0;
  const clear = () => {
    if (drawn > 0) output.write(`\x1b[${drawn}A\x1b[J`);
    drawn = 0;
  };
  const draw = () => {
    const lines = status();
    clear();
    for (const line of lines) output.write(`${line}\n`);
    if (live) drawn = lines.length;
  };
  const timer = setInterval(draw, live ? REDRAW_MS : PLAIN_EVERY_MS);
  timer.unref();
  return {
    line(text) {
      clear();
      output.write(`${text}\n`);
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}
