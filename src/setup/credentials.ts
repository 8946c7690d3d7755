/** The first project and its key, and the file that tells the operator of them. */
import path from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { HOME_FILES, readText, replaceFile } from "../lib/home.ts";
import type { Store } from "../store/db.ts";
import { authenticate, createKey } from "../store/keys.ts";
import { createProject, listProjects } from "../store/projects.ts";

/** What credentials.json holds. */
export const Credentials = Type.Object({
  api_url: Type.String(),
  project_id: Type.String(),
  api_key: Type.String(),
  public_key: Type.String(),
  secret_key: Type.String(),
});
export type Credentials = Static<typeof Credentials>;

const FIRST_PROJECT = "default";
const FIRST_KEY = "first admin key";

export function credentialsFile(home: string): string {
  return path.join(home, HOME_FILES.credentials);
}

/** null where there is no such file, or it holds something else. */
export async function readCredentialsFile(home: string): Promise<Credentials | null> {
  const text = await readText(credentialsFile(home));
  if (text === null) return null;
  try {
    const found: unknown = JSON.parse(text);
    return Value.Check(Credentials, found) ? found : null;
  } catch {
    return null;
  }
}

/**
 * Makes the first project and an admin key where there are none, and a new key where the file was lost or tells of one
 * that this state database does not know. A key that was revoked stays so: somebody wanted that.
 */
export async function ensureCredentials(store: Store, home: string, apiUrl: string): Promise<Credentials> {
  const kept = await readCredentialsFile(home);
  if (kept !== null && (await isKnown(store, kept))) {
    const current = { ...kept, api_url: apiUrl };
    if (kept.api_url !== apiUrl) await write(home, current);
    return current;
  }
  const project = (await listProjects(store.db))[0] ?? (await createProject(store.db, FIRST_PROJECT));
  const key = await createKey(store.db, { projectId: project.id, name: FIRST_KEY, role: "admin" });
  const made: Credentials = {
    api_url: apiUrl,
    project_id: project.id,
    api_key: key.apiKey,
    public_key: key.publicKey,
    secret_key: key.secretKey,
  };
  await write(home, made);
  return made;
}

async function isKnown(store: Store, { public_key, secret_key }: Credentials): Promise<boolean> {
  const answer = await authenticate(store, { publicKey: public_key, secretKey: secret_key });
  return answer.kind === "caller" || answer.why !== "unknown";
}

async function write(home: string, credentials: Credentials): Promise<void> {
  await replaceFile(credentialsFile(home), `${JSON.stringify(credentials, null, 2)}\n`);
}
