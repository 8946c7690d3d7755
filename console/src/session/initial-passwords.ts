/**
 * Initial passwords that the API has told a moment ago, by service. They are told once and kept in memory alone, until
 * somebody has taken them or the page is closed.
 */
import { useSyncExternalStore } from "react";

const passwords = new Map<string, string>();
const listeners = new Set<() => void>();

export function keepInitialPassword(serviceId: string, password: string): void {
  passwords.set(serviceId, password);
  tell();
}

export function forgetInitialPassword(serviceId: string): void {
  if (passwords.delete(serviceId)) tell();
}

/** null: it is not known here, or not any more. */
export function useInitialPassword(serviceId: string): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => passwords.get(serviceId) ?? null,
  );
}

function tell(): void {
  for (const listener of listeners) listener();
}
