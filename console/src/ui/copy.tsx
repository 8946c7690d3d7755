/** Copies a text with one click, and says that it did. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Check, Copy as CopyIcon } from "lucide-react";

export interface CopyProps {
  readonly text: string;
  /** What it is, such as "the connection string". */
  readonly what: string;
}

export function Copy({ text, what }: CopyProps) {
  const { copied, copy, error } = useClipboard({ timeout: 1_500 });
  const label = error ? "The browser does not allow it" : copied ? "Copied" : `Copy ${what}`;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${what}`} onClick={() => copy(text)}>
        {copied ? <Check size={15} aria-hidden /> : <CopyIcon size={15} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
