import type { Addon } from "../contract/service.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Encryption } from "./encryption.ts";
import type { ServiceRow } from "./schema.ts";
import { openSecrets } from "./service-secrets.ts";

/** What a platform has to know of a service besides what shall be done to it. */
export interface Identity {
  readonly serviceId: string;
  readonly addons: readonly Addon[];
  readonly port: number;
  readonly poolerPort: number;
  readonly secrets: ServiceSecrets;
  /** The service that it reads from, and its place among those that do; null: it has a primary of its own. */
  readonly readsFrom: { readonly serviceId: string; readonly place: number } | null;
}

export const IDENTITY_COLUMNS = [
  "id",
  "addons",
  "endpoint_port",
  "pooler_port",
  "secrets",
  "read_from",
  "read_place",
] as const;

/** null where its secrets cannot be opened. */
export function identityOf(
  row: Pick<ServiceRow, (typeof IDENTITY_COLUMNS)[number]>,
  encryption: Encryption,
): Identity | null {
  const secrets = openSecrets(encryption, row.id, row.secrets);
  if (secrets === null) return null;
  const { read_from: from, read_place: place } = row;
  return {
    serviceId: row.id,
    addons: row.addons,
    port: row.endpoint_port,
    poolerPort: row.pooler_port,
    secrets,
    readsFrom: from === null || place === null ? null : { serviceId: from, place },
  };
}
