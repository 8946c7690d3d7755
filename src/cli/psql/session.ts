/** What psql has to know to open a session, as its library reads it from the environment. Pure. */
import { isIP } from "node:net";
import type { Place } from "../passwords/pgpass.ts";

export interface PsqlSession {
  readonly place: Place;
  readonly role: string;
  readonly database: string;
  /** Writes fail, whatever the session tries. */
  readonly readOnly: boolean;
  /** null: psql looks where it always does, and asks. */
  readonly password: string | null;
  /** Certificates of the service are of this authority; null: not known here. */
  readonly authorityFile: string | null;
}

/** Where psql finds what must not stand in its environment. */
export interface SessionFiles {
  readonly passwordFile: string | null;
  readonly authorityFile: string | null;
}

/** Of somebody else's sessions; they would lead this one astray. */
export const FOREIGN_VARIABLES = ["PGSERVICE", "PGHOSTADDR", "PGTARGETSESSIONATTRS"] as const;

/** Before this one, the library does not look for addresses in certificates. */
const FIRST_TO_MATCH_ADDRESSES = 15;
const CONNECT_TIMEOUT_S = 10;

/** No secret is among them. */
export function sessionVariables(
  { place, role, database, readOnly }: PsqlSession,
  files: SessionFiles,
  psqlMajor: number,
): Record<string, string> {
  return {
    PGHOST: place.host,
    PGPORT: String(place.port),
    PGUSER: role,
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: String(CONNECT_TIMEOUT_S),
    PGSSLMODE: sslMode(place, files, psqlMajor),
    ...(files.authorityFile === null ? {} : { PGSSLROOTCERT: files.authorityFile }),
    ...(files.passwordFile === null ? {} : { PGPASSFILE: files.passwordFile }),
    ...(readOnly ? { PGOPTIONS: "-c tsdb_admin.read_only_connection=true" } : {}),
  };
}

/**
 * As strict as can be. Certificates carry the host of the endpoint, so that verify-full holds; an older psql does not
 * see that where the host is an address, and has to be content with the installation's own authority.
 */
function sslMode({ host }: Place, { authorityFile }: SessionFiles, psqlMajor: number): string {
  if (authorityFile === null) return "require";
  return isIP(host) !== 0 && psqlMajor < FIRST_TO_MATCH_ADDRESSES ? "verify-ca" : "verify-full";
}
