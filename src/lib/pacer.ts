/** When something that is done again and again is done next: soon after it is asked for, and not in a rush. */
export interface Pacer {
  /** The next time begins so long after the last one at the earliest, and never later than one that is planned already. */
  plan(afterLastMs: number): void;
  /** One time is over. */
  done(): void;
  /** Plans nothing more. */
  stop(): void;
}

export function createPacer(begin: () => void): Pacer {
  let timer: NodeJS.Timeout | null = null;
  let dueAtMs = 0;
  let doneAtMs = 0;
  let stopped = false;
  return {
    plan(afterLastMs) {
      if (stopped) return;
      const now = performance.now();
      const dueAt = Math.max(now, doneAtMs + afterLastMs);
      if (timer && dueAtMs <= dueAt) return;
      if (timer) clearTimeout(timer);
      dueAtMs = dueAt;
      timer = setTimeout(() => {
        timer = null;
        begin();
      }, dueAt - now);
    },
    done() {
      doneAtMs = performance.now();
    },
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
