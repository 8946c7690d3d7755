/** What every command that changes a service does around its one request. */
import type { Goal, ServiceRecord, WaitOutcome } from "../../client/index.ts";
import { cleanDetail, renderDuration } from "../../lib/progress-line.ts";
import { CommandFailed, EXIT } from "../failure.ts";
import { findService } from "./find-service.ts";
import type { OutputOption, WaitOption } from "./options.ts";
import { renderService } from "./render-service.ts";
import type { ServiceCli } from "./service-cli.ts";
import { startWaitLine } from "./wait-line.ts";

/** Finds the service, sends the change, waits if wanted, and prints the record. */
export async function changeService(
  cli: ServiceCli,
  idOrName: string,
  options: OutputOption & WaitOption,
  send: (service: ServiceRecord) => Promise<ServiceRecord>,
  until?: Goal,
): Promise<void> {
  const before = await findService(cli.client, idOrName);
  const accepted = await send(before);
  const goal = until ?? goalAfter(before);
  printService(cli, options.wait ? await follow(cli, accepted, goal, options) : accepted, options);
}

/** A change of a stopped service is in force after its next start: it goes back to being stopped. */
export function goalAfter({ status }: ServiceRecord): Goal {
  return status === "PAUSED" || status === "PAUSING" ? "PAUSED" : "READY";
}

/** The record once it is as wanted. Throws CommandFailed where it does not come to that. */
export async function follow(
  cli: ServiceCli,
  service: ServiceRecord,
  until: Goal,
  { timeout }: WaitOption,
): Promise<ServiceRecord> {
  const name = cleanDetail(service.name);
  const line = startWaitLine({ output: cli.stderr, color: cli.color, name });
  let outcome: WaitOutcome;
  try {
    outcome = await cli.interruptible((signal) =>
      cli.client.waitFor(service.service_id, until, {
        deadlineMs: timeout,
        signal,
        onProgress: (progress) => line.tell(progress),
      }),
    );
  } catch (error) {
    line.end("failed", `${name} cannot be followed any longer`);
    throw error;
  }
  if (outcome.kind === "reached") {
    line.end("done", until === "GONE" ? `${name} is deleted` : `${name} is ${until}`);
    return outcome.service ?? service;
  }
  line.end("failed", `${name} is not ${until === "GONE" ? "deleted" : until}`);
  throw failure(outcome, service, timeout);
}

function failure(
  outcome: Exclude<WaitOutcome, { kind: "reached" }>,
  { name, service_id }: ServiceRecord,
  timeoutMs: number,
): CommandFailed {
  const look = `howdah service events ${service_id} tells how far it is.`;
  switch (outcome.kind) {
    case "aborted":
      return new CommandFailed(EXIT.interrupted, `${cleanDetail(name)} goes on by itself; ${look}`);
    case "overdue":
      return new CommandFailed(
        EXIT.overdue,
        `${cleanDetail(name)} is still ${outcome.status} after ${renderDuration(timeoutMs)}: ${outcome.why}\n` +
          `It goes on by itself; ${look}`,
      );
    case "cannot":
      return new CommandFailed(
        outcome.status === "DELETED" ? EXIT.missing : EXIT.conflict,
        `${cleanDetail(name)} is ${outcome.status}: ${outcome.why}\n${look}`,
      );
  }
}

export function printService(cli: ServiceCli, service: ServiceRecord, options: OutputOption): void {
  print(cli, options, service, () => renderService(service, usesColor(cli)));
}

/** One or the other form of the same thing, on standard output. */
export function print(cli: ServiceCli, { output }: OutputOption, value: unknown, render: () => string): void {
  cli.stdout.write(`${output === "json" ? JSON.stringify(value, null, 2) : render()}\n`);
}

export function usesColor({ color, stdout }: ServiceCli): boolean {
  return color && stdout.isTTY === true;
}
