import type { Db } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { IDENTITY_COLUMNS, type Identity, identityOf } from "./identity.ts";

/** A service that runs or is meant to, with what a platform has to know to ask its nodes. */
export interface RunningService {
  readonly regionCode: string;
  readonly identity: Identity;
}

/** All of some regions. One whose secrets cannot be opened is left out: nobody can ask it anything. */
export async function runningServices(
  db: Db,
  encryption: Encryption,
  regionCodes: readonly string[],
): Promise<readonly RunningService[]> {
  const rows = await db
    .selectFrom("services")
    .select([...IDENTITY_COLUMNS, "region_code"])
    .where("presence", "=", "present")
    .where("power", "=", "running")
    .where("region_code", "in", regionCodes)
    .orderBy("id")
    .execute();
  return rows.flatMap((row) => {
    const identity = identityOf(row, encryption);
    return identity ? [{ regionCode: row.region_code, identity }] : [];
  });
}
