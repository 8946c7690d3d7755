import type { Addon } from "../contract/service.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Db } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { openSecrets } from "./service-secrets.ts";

/** A service that runs or is meant to, with what a platform has to know to ask its nodes. */
export interface RunningService {
  readonly regionCode: string;
  readonly identity: {
    readonly serviceId: string;
    readonly addons: readonly Addon[];
    readonly port: number;
    readonly poolerPort: number;
    readonly secrets: ServiceSecrets;
    readonly readsFrom: { readonly serviceId: string; readonly place: number } | null;
  };
}

/** All of some regions. One whose secrets cannot be opened is left out: nobody can ask it anything. */
export async function runningServices(
  db: Db,
  encryption: Encryption,
  regionCodes: readonly string[],
): Promise<readonly RunningService[]> {
  const rows = await db
    .selectFrom("services")
    .select([
      "id",
      "region_code",
      "addons",
      "endpoint_port",
      "pooler_port",
      "secrets",
      "read_from",
      "read_place",
    ])
    .where("presence", "=", "present")
    .where("power", "=", "running")
    .where("region_code", "in", regionCodes)
    .orderBy("id")
    .execute();
  return rows.flatMap((row) => {
    const secrets = openSecrets(encryption, row.id, row.secrets);
    if (!secrets) return [];
    const { id: serviceId, addons, endpoint_port: port, pooler_port: poolerPort } = row;
    const { read_from: from, read_place: place } = row;
    const readsFrom = from === null || place === null ? null : { serviceId: from, place };
    const identity = { serviceId, addons, port, poolerPort, secrets, readsFrom };
    return [{ regionCode: row.region_code, identity }];
  });
}
