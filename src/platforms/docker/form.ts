import type Docker from "dockerode";
import { inspectOrNull, remove } from "./container.ts";
import { LABEL } from "./names.ts";

/**
 * What a container was made with, where that changes from one version of the program to another. One of another form
 * than the present one is observed as stopped, so that it is asked for again, and then made anew.
 */
export function hasForm(labels: Readonly<Record<string, string>> | undefined, form: string): boolean {
  return labels?.[LABEL.form] === form;
}

/** Its volume stays. */
export async function removeOtherForm(container: Docker.Container, form: string): Promise<void> {
  const found = await inspectOrNull(container);
  if (found && !hasForm(found.Config.Labels, form)) await remove(container);
}
