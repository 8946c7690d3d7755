/** So many services that a list of them is long, over simulated databases. */
import type { ControlPlane } from "./control-plane.ts";
import { until } from "./deadline.ts";
import type { Bench } from "./measurement.ts";

/** Creates under way at a time; their room is accounted for one after the other anyway. */
const CREATORS = 8;
const CREATE_TRIES = 200;
const RETRY_MS = 100;
const READY_DEADLINE_MS = 120_000;
const POLL_MS = 500;

/** Returns their ids, as soon as all of them have been accepted. */
export async function createManyServices(
  { signal, report }: Pick<Bench, "signal" | "report">,
  { api }: ControlPlane,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let begun = 0;
  const creator = async () => {
    for (let tries = 0; begun < count && tries < count + CREATE_TRIES; tries += 1) {
      signal.throwIfAborted();
      begun += 1;
      if (begun % 100 === 0) report(`${begun} of ${count} services`);
      try {
        const { service } = await api.createService({ name: `listed ${begun}`, cpu_millis: "shared" });
        ids.push(service.service_id);
      } catch (error) {
        // Ports come in batches; a burst of creates waits for the next.
        if (!(error instanceof Error && error.message.includes("port"))) throw error;
        begun -= 1;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  return ids;
}

/** Until nothing is left to be done for any of them. Throws DeadlineExceeded. */
export async function untilAllReady({ signal, report }: Bench, { api }: ControlPlane): Promise<void> {
  const options = { what: "all services", deadlineMs: READY_DEADLINE_MS, everyMs: POLL_MS, signal };
  await until(options, async () => {
    const left = (await api.listServices()).filter(({ status }) => status !== "READY").length;
    if (left > 0) report(`${left} services are not ready`);
    return left === 0 ? true : undefined;
  });
}
