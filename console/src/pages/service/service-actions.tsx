/** What is done to a service most often. */
import type { ServiceRecord } from "../../../../src/client/index.ts";

export function ServiceActions({ service }: { service: ServiceRecord }) {
  return service.endpoint ? null : null;
}
