import { notifications } from "@mantine/notifications";
import type { ClientError } from "../../../src/client/index.ts";
import { endSession, getSession } from "../session/session.ts";

/** For when the server takes the key of a project no more: forgets it, and says why. */
export function leaveProject(projectId: string, { message }: ClientError): void {
  endSession(projectId, message);
  // Where another project is shown from now on, there is no sign-in page that would say so.
  if (getSession().current)
    notifications.show({ title: "Signed out of a project", message, autoClose: false });
}
