/** The clipboard, also where browsers give a page none: on plain http from another machine. */
import { useEffect, useRef, useState } from "react";

export type CopyState = "idle" | "copied" | "refused";

const SHOWN_MS = 1_800;

/** What became of the newest copy, for a moment, and how to copy. */
export function useCopy(): { readonly state: CopyState; readonly copy: (text: string) => Promise<boolean> } {
  const [state, setState] = useState<CopyState>("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    state,
    copy: async (text) => {
      const done = await copyText(text);
      setState(done ? "copied" : "refused");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState("idle"), SHOWN_MS);
      return done;
    },
  };
}

/** Whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Some browsers ask, and somebody says no; the old way may still work.
    }
  }
  return copySelected(text);
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Inside an open dialog, which would take the focus back otherwise.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
