import { useCallback, useState } from "react";

/** A dialog about something. What it is about stays while the dialog fades out; null: it was not opened yet. */
export function useDialog<About = void>() {
  const [{ about, opened }, set] = useState<{ about: About | null; opened: boolean }>(CLOSED);
  const open = useCallback((next: About) => {
    leaveMenu();
    set({ about: next, opened: true });
  }, []);
  const close = useCallback(() => set((before) => ({ ...before, opened: false })), []);
  return { about, opened, open, close };
}

const CLOSED = { about: null, opened: false };

/** The focus returns from a dialog to where it was: not to an item of a menu that is gone by then. */
function leaveMenu(): void {
  const menu = document.activeElement?.closest('[role="menu"]');
  document.getElementById(menu?.getAttribute("aria-labelledby") ?? "")?.focus();
}
