/** An error in the API's own words, with its code. */
import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { ClientError } from "../../../src/client/index.ts";

export interface ErrorNoticeProps {
  readonly error: Error;
  /** What could not be done, such as "The service was not resized". */
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
}

export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  const { code, details, requestId } =
    error instanceof ClientError ? error : { code: null, details: undefined, requestId: null };
  return (
    <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />} role="alert" title={title}>
      <Text size="sm">{error.message}</Text>
      {details !== undefined && (
        <Text size="sm" mt={4}>
          {details}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {code !== null && <Code>{code}</Code>}
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            request {requestId}
          </Text>
        )}
        {onRetry && (
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
