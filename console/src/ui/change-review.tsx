/** A change that is thought of: what it would take, and the button that makes it. */
import { Button, Group, type MantineColor, Stack } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { type UseMutationResult, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Change } from "../../../src/client/index.ts";
import { useQueries } from "../data/queries.ts";
import { useMayWrite } from "../session/client.tsx";
import classes from "./change-review.module.css";
import { ErrorNotice } from "./error-notice.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { WriteButton } from "./write-button.tsx";

export interface ChangeReviewProps {
  readonly serviceId: string;
  readonly change: Change;
  /** On the button, such as "Resize to 1 CPU, 4 GB". */
  readonly action: string;
  /** What did not happen, such as "The service was not resized". */
  readonly failed: string;
  /** The sending of the change. */
  readonly sent: Pick<UseMutationResult, "isPending" | "isSuccess"> & { readonly error: Error | null };
  /** Of the button. */
  readonly color?: MantineColor;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
  readonly discard?: string;
  /** Without a surface of its own, such as in a dialog. */
  readonly bare?: boolean;
}

export function ChangeReview(props: ChangeReviewProps) {
  const { serviceId, change, action, failed, sent, color, onApply, onDiscard, bare = false } = props;
  const mayWrite = useMayWrite();
  const preview = useQuery({
    // A dry run is refused to keys that may only read.
    ...useQueries().preview(serviceId, mayWrite ? change : null),
    // What was just done would be refused a second time.
    enabled: !sent.isPending && !sent.isSuccess,
  });
  const place = useRef<HTMLDivElement>(null);
  const still = useReducedMotion();
  const shown = preview.data !== undefined || preview.error !== null;
  // It begins below what was chosen, which may be below the edge of the window.
  useEffect(() => {
    if (!bare) place.current?.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  }, [bare, still, shown]);
  return (
    <Stack gap="md" ref={place} className={bare ? undefined : classes["review"]}>
      {mayWrite && (
        <PlanPreview
          plan={preview.data}
          loading={preview.isFetching}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {sent.error && !preview.error && <ErrorNotice error={sent.error} title={failed} />}
      <Group gap="xs" justify={bare ? "flex-end" : "flex-start"}>
        {bare && (
          <Button variant="default" onClick={onDiscard}>
            {props.discard ?? "Cancel"}
          </Button>
        )}
        <WriteButton
          {...(color === undefined ? {} : { color })}
          loading={sent.isPending}
          onClick={onApply}
          unavailable={preview.error ? "The API would refuse this change; it says why above." : null}
        >
          {action}
        </WriteButton>
        {!bare && (
          <Button variant="subtle" color="gray" onClick={onDiscard}>
            {props.discard ?? "Discard"}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
