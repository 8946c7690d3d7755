import type { Condition } from "../contract/conditions.ts";
import type { Assessment } from "../planner/assess.ts";
import type { DueService } from "../store/due-service.ts";
import type { PassResult } from "../store/pass-result.ts";
import { memberEvents } from "./member-events.ts";

type Events = PassResult["events"];

/**
 * What a pass has to tell that was not told before. Compared with what the service's row says already, so that a step
 * tried a hundred times is told once, and a restart of the control plane repeats nothing. Changes of the status are
 * told by the queue, which alone knows whether the status was written.
 */
export function passEvents(before: DueService, after: Assessment): Events {
  return [
    ...memberEvents(before, after.inForce),
    ...progressEvents(before, after),
    ...conditionEvents(before, after),
  ];
}

/** The Settled condition's message is the sentence about what is being done, waited for or in the way. */
function progressEvents(before: DueService, after: Assessment): Events {
  const told = settledOf(before.conditions);
  const now = settledOf(after.conditions);
  if (!now || now.status === "True" || now.message === told?.message) return [];
  return [{ type: eventType(now.reason), message: now.message, data: { reason: now.reason } }];
}

function eventType(reason: string): string {
  switch (reason) {
    case "Working":
      return "service.step";
    case "Waiting":
      return "service.waiting";
    default:
      return "service.trouble";
  }
}

function conditionEvents(before: DueService, after: Assessment): Events {
  return after.conditions.flatMap(({ type, status, reason, message }) => {
    if (type === "Settled") return [];
    const known = before.conditions.find((condition) => condition.type === type)?.status;
    // How a service begins is no news.
    return known !== undefined && known !== status
      ? [
          {
            type: "service.condition",
            message: `${type} is ${status}: ${message}`,
            data: { type, status, reason },
          },
        ]
      : [];
  });
}

function settledOf(conditions: readonly Condition[]): Condition | undefined {
  return conditions.find(({ type }) => type === "Settled");
}
