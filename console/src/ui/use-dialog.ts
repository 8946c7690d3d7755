import { useCallback, useState } from "react";

export interface Dialog<About> {
  /** Stays while the dialog fades out; null: it was not opened yet. */
  readonly about: About | null;
  readonly opened: boolean;
  readonly open: (about: About) => void;
  readonly close: () => void;
}

/** A dialog about something. It is to be there before it is opened: only then does it know where the focus was. */
export function useDialog<About = void>(): Dialog<About> {
  const [{ about, opened }, set] = useState<Pick<Dialog<About>, "about" | "opened">>(CLOSED);
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
