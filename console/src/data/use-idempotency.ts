import { useRef } from "react";

/** A key for what is to be made: the same, sent again after an answer was lost, is the same request. */
export function useIdempotency(): (input: unknown) => string {
  const last = useRef<{ text: string; key: string } | null>(null);
  return (input) => {
    const text = JSON.stringify(input);
    if (last.current?.text !== text) last.current = { text, key: randomKey() };
    return last.current.key;
  };
}

/** Not randomUUID: browsers have that on https and localhost alone. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
