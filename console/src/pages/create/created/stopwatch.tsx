/** How long it has been going on. */
import { useEffect, useState } from "react";
import { now as clock } from "../../../session/clock.ts";
import { duration } from "./progress.ts";

const TICK_MS = 100;

/** @param since by the server's clock, in milliseconds of the epoch */
export function Stopwatch({ since }: { since: number }) {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  // Read aloud ten times a second, it would drown everything else.
  return <span aria-hidden>{duration(Math.max(0, (now - since) / 1_000))}</span>;
}
