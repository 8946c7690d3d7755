export const EXIT_INTERRUPTED = 130;

/** Aborts when a person asks for the end; asked twice, it comes at once. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(EXIT_INTERRUPTED);
      console.error("\nCleaning up; once more to leave everything as it is.");
      interrupted.abort(new Error("interrupted"));
    });
  }
  return interrupted.signal;
}
