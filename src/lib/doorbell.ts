/** Ends a wait early. A ring that nobody is waiting for is remembered, once. */
export interface Doorbell {
  ring(): void;
  /** Resolves at the next ring, or after `limitMs`. One waiter at a time. */
  wait(limitMs: number): Promise<void>;
}

export function createDoorbell(): Doorbell {
  let rung = false;
  let answer: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait(limitMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        answer = null;
      }
      rung = false;
    },
  };
}
