/** The whole audit of the chosen time as a file, however long it is. */
import { Button, Tooltip } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Download as DownloadIcon } from "lucide-react";
import type { AuditQuery } from "../../../../src/client/index.ts";
import { useAccount, useClient } from "../../session/client.tsx";
import { saveFile } from "../../ui/save-file.ts";

/** A tab holds it all before it is a file; more than this is for the command line. */
const MOST_BYTES = 256 * 1024 ** 2;

export function Download({ query }: { query: AuditQuery }) {
  const client = useClient();
  const { projectName } = useAccount();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const parts: string[] = [];
      let length = 0;
      for await (const part of client.exportAudit(query)) {
        parts.push(part);
        length += part.length;
        if (length > MOST_BYTES)
          throw new Error("it is too long for a browser; howdah audit writes it to a file");
      }
      saveFile(`audit-${projectName}.jsonl`, parts, "application/x-ndjson");
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "The audit was not downloaded", message: error.message }),
  });
  return (
    <Tooltip label="All records of this time as JSON lines, oldest first">
      <Button
        variant="default"
        leftSection={<DownloadIcon size={15} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        Download
      </Button>
    </Tooltip>
  );
}
