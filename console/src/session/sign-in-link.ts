/**
 * The token of a sign-in link on its way from the address to the sign-in page: the address is replaced before the page is
 * there, so that neither the bar nor the history keeps it.
 */
import { useSyncExternalStore } from "react";

let token: string | null = null;
const listeners = new Set<() => void>();

/** null: forgets the one there is. */
export function keepToken(next: string | null): void {
  token = next;
  for (const listener of listeners) listener();
}

export function useToken(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => token,
  );
}
