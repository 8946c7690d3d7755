/** Moves the keyboard from row to row. */

/** The row may have to be made first. */
const MOST_FRAMES = 20;

export function linkId(serviceId: string): string {
  return `service-${serviceId}`;
}

export function focusSoon(serviceId: string, frames = MOST_FRAMES): void {
  const link = document.getElementById(linkId(serviceId));
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusSoon(serviceId, frames - 1));
}
