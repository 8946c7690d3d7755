/** The first project and its key. */
import type { Store } from "../store/db.ts";
import { authenticate, createKey, raiseToOperator } from "../store/keys.ts";
import { createProject, listProjects } from "../store/projects.ts";
import { type Credentials, readCredentialsFile, writeCredentialsFile } from "./credentials-file.ts";

const FIRST_PROJECT = "default";
const FIRST_KEY = "first operator key";

/**
 * Makes the first project and an operator's key where there are none, and a new key where the file was lost or tells of
 * one that this state database does not know. A key that was revoked stays so: somebody wanted that. One that an older
 * version has made as an admin's becomes the operator's: whoever has this file is the operator.
 */
export async function ensureCredentials(store: Store, home: string, apiUrl: string): Promise<Credentials> {
  const kept = await readCredentialsFile(home);
  if (kept !== null && (await isKnown(store, kept))) {
    await raiseToOperator(store.db, kept.public_key);
    const current = { ...kept, api_url: apiUrl };
    if (kept.api_url !== apiUrl) await writeCredentialsFile(home, current);
    return current;
  }
  const project = (await listProjects(store.db))[0] ?? (await createProject(store.db, FIRST_PROJECT));
  const key = await createKey(store.db, { projectId: project.id, name: FIRST_KEY, role: "operator" });
  const made: Credentials = {
    api_url: apiUrl,
    project_id: project.id,
    api_key: key.apiKey,
    public_key: key.publicKey,
    secret_key: key.secretKey,
  };
  await writeCredentialsFile(home, made);
  return made;
}

async function isKnown(store: Store, { public_key, secret_key }: Credentials): Promise<boolean> {
  const answer = await authenticate(store, { publicKey: public_key, secretKey: secret_key });
  return answer.kind === "caller" || answer.why !== "unknown";
}
