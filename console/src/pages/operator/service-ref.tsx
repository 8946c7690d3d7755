/** A service of any project: a link where this browser is signed in to its project. */
import { Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { switchTo, useSession } from "../../session/session.ts";
import classes from "./operator-page.module.css";

export interface ServiceRefProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly service: { readonly id: string; readonly name?: string };
}

export function ServiceRef({ project, service: { id, name } }: ServiceRefProps) {
  const { accounts } = useSession();
  if (name === undefined)
    return (
      <Text span ff="monospace" size="xs" title="This service is gone.">
        {id}
      </Text>
    );
  if (accounts.some(({ projectId }) => projectId === project.id))
    return (
      <Link
        to="/services/$serviceId"
        params={{ serviceId: id }}
        onClick={() => switchTo(project.id)}
        className={classes["name"]}
        title={name}
      >
        {name}
      </Link>
    );
  return (
    <Tooltip label={`Sign in to the project ${project.name} to open it`}>
      <span className={classes["name"]}>{name}</span>
    </Tooltip>
  );
}
