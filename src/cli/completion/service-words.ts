/** The words by which services can be named, for completion. Pure. */
import type { ServiceRecord } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import type { Suggestion } from "./suggest.ts";

/** Nothing that any shell would read as more than a word: names are chosen by others than who presses the key. */
const PLAIN_WORD = /^[A-Za-z0-9][\w.-]*$/;

/** Names where they are plain and unique, else ids. */
export function serviceWords(services: readonly ServiceRecord[], beginning: string): Suggestion[] {
  const counts = new Map<string, number>();
  for (const { name } of services) counts.set(name, (counts.get(name) ?? 0) + 1);
  return services
    .map(({ name, service_id, status }) =>
      PLAIN_WORD.test(name) && counts.get(name) === 1
        ? { value: name, description: status }
        : { value: service_id, description: `${cleanDetail(name)}, ${status}` },
    )
    .filter(({ value }) => value.startsWith(beginning));
}
