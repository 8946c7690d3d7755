/** Copies a text with one click, and says that it did. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { Check, Copy as CopyIcon } from "lucide-react";
import { useCopy } from "./use-copy.ts";

export interface CopyProps {
  readonly text: string;
  /** What it is, such as "the connection string". */
  readonly what: string;
  readonly onCopied?: () => void;
}

export function Copy({ text, what, onCopied }: CopyProps) {
  const { state, copy } = useCopy();
  const copied = state === "copied";
  const label = state === "refused" ? "The browser does not allow it" : copied ? "Copied" : `Copy ${what}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Copy ${what}`}
        onClick={() => void copy(text).then((done) => done && onCopied?.())}
      >
        {copied ? <Check size={15} aria-hidden /> : <CopyIcon size={15} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
