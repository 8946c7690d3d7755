import { useRef } from "react";
import { newIdempotencyKey } from "../../../src/client/index.ts";

/** A key for what is to be made: the same, sent again after an answer was lost, is the same request. */
export function useIdempotency(): (input: unknown) => string {
  const last = useRef<{ text: string; key: string } | null>(null);
  return (input) => {
    const text = JSON.stringify(input);
    if (last.current?.text !== text) last.current = { text, key: newIdempotencyKey() };
    return last.current.key;
  };
}
