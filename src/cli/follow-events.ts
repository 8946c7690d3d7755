/** Events on the screen, as a list and as they happen. */
import type { EventRecord, ProjectEventQuery } from "../client/index.ts";
import { cleanDetail } from "../lib/progress-line.ts";
import { CommandFailed, EXIT } from "./failure.ts";
import type { ServiceCli } from "./service/service-cli.ts";

interface Form {
  /** A JSON record a line, in place of text for people. */
  readonly json: boolean;
  /** How many of those that there are come first. */
  readonly limit: number;
  /** Whether what they are about is told with each. */
  readonly withService: boolean;
}

/** Prints the latest events and then each one as it happens, until Ctrl-C. */
export async function followEvents(
  cli: ServiceCli,
  query: Omit<ProjectEventQuery, "limit" | "before">,
  form: Form,
): Promise<never> {
  const latest = await cli.client.listEvents({ ...query, limit: form.limit });
  const print = (event: EventRecord) =>
    cli.stdout.write(`${form.json ? JSON.stringify(event) : renderEvent(event, form.withService)}\n`);
  for (const event of latest.toReversed()) print(event);
  // What was committed late stands after events with higher ids, and may be in the list already.
  const printed = new Set(latest.map(({ id }) => id));
  await cli.interruptible(async (signal) => {
    const events = cli.client.streamEvents(query, {
      signal,
      lastEventId: latest[0]?.id ?? "0",
      onLost: (why) => cli.stderr.write(`${cleanDetail(why)}; connecting again …\n`),
      onBack: () => cli.stderr.write("Connected again; no event is missing.\n"),
    });
    for await (const event of events) if (!printed.has(event.id)) print(event);
  });
  throw new CommandFailed(EXIT.interrupted, "");
}

export function renderEvent(
  { at, actor, message, service_id = "-" }: EventRecord,
  withService: boolean,
): string {
  const about = withService ? `  ${service_id.padEnd(10)}` : "";
  return `${at}${about}  ${cleanDetail(actor)}  ${cleanDetail(message)}`;
}
