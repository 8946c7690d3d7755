/** A change that is thought of: what it would take, and the button that makes it. */
import { Button, Group, Stack } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Change } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { PlanPreview } from "../../../ui/plan-preview.tsx";
import { WriteButton } from "../../../ui/write-button.tsx";
import classes from "./settings-tab.module.css";

export interface ChangeReviewProps {
  readonly serviceId: string;
  readonly change: Change;
  /** On the button, such as "Resize to 1 CPU, 4 GB". */
  readonly action: string;
  /** What did not happen, such as "The service was not resized". */
  readonly failed: string;
  readonly busy: boolean;
  /** The API's refusal of the change itself. */
  readonly error: Error | null;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
  readonly discard?: string;
  /** Without a surface of its own, such as in a dialog. */
  readonly bare?: boolean;
}

export function ChangeReview(props: ChangeReviewProps) {
  const { serviceId, change, action, failed, busy, error, onApply, onDiscard, bare = false } = props;
  const mayWrite = useMayWrite();
  // A dry run is refused to keys that may only read.
  const preview = useQuery(useQueries().preview(serviceId, mayWrite ? change : null));
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
      {error && !preview.error && <ErrorNotice error={error} title={failed} />}
      <Group gap="xs" justify={bare ? "flex-end" : "flex-start"}>
        {bare && (
          <Button variant="default" onClick={onDiscard}>
            {props.discard ?? "Cancel"}
          </Button>
        )}
        <WriteButton
          loading={busy}
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
