/** A button for what changes something: off, and saying why, for keys that may only read. */
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import { useMayWrite } from "../session/client.tsx";

export const READ_ONLY = "This API key may only read.";

export interface WriteButtonProps extends Omit<ButtonProps, "disabled"> {
  readonly children: ReactNode;
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  readonly type?: "button" | "submit";
  /** Why it cannot be used now; null: it can. */
  readonly unavailable?: string | null;
}

export function WriteButton({ unavailable = null, ...button }: WriteButtonProps) {
  const why = useMayWrite() ? unavailable : READ_ONLY;
  if (why === null) return <Button {...button} />;
  // Not the attribute `disabled`: the reason must be reachable with the keyboard.
  return (
    <Tooltip label={why} multiline maw={320}>
      <Button
        {...button}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
