import type Docker from "dockerode";
import type { Logger } from "pino";
import type { Authority } from "../../lib/authority.ts";
import type { Coordination } from "./coordination.ts";
import { LABEL, type Names } from "./names.ts";
import type { LogBounds } from "./patroni-config.ts";

/** What every part of the docker platform works with. */
export interface Context {
  readonly docker: Docker;
  /** The service image. */
  readonly image: string;
  readonly installationId: string;
  /** Put on everything that is made, beside our own. */
  readonly labels: Readonly<Record<string, string>>;
  /** The host's address on which endpoints are opened. */
  readonly bindHost: string;
  /** The name or address by which clients know the host. */
  readonly publicHost: string;
  readonly names: Names;
  readonly authority: Authority;
  readonly coordination: Coordination;
  /** What each member keeps of PostgreSQL's log. */
  readonly logBounds: LogBounds;
  readonly log: Logger;
}

export type EngineContext = Omit<Context, "coordination">;

export function installationLabels(context: EngineContext): Record<string, string> {
  return { ...context.labels, [LABEL.installation]: context.installationId };
}

export function serviceLabels(context: EngineContext, serviceId: string): Record<string, string> {
  return { ...installationLabels(context), [LABEL.service]: serviceId };
}

/** Finds in the engine what belongs to the installation. */
export function installationFilters({ installationId }: EngineContext): { readonly label: string[] } {
  return { label: [`${LABEL.installation}=${installationId}`] };
}

/** Finds in the engine what belongs to a service. */
export function serviceFilters(context: EngineContext, serviceId: string): { readonly label: string[] } {
  return {
    label: [`${LABEL.installation}=${context.installationId}`, `${LABEL.service}=${serviceId}`],
  };
}
