/** `credentials.json`: what tells the operator, and this machine's command line, of the first project and its key. */
import path from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { HOME_FILES, readText, replaceFile } from "../lib/home.ts";

/** What credentials.json holds. */
export const Credentials = Type.Object({
  api_url: Type.String(),
  project_id: Type.String(),
  api_key: Type.String(),
  public_key: Type.String(),
  secret_key: Type.String(),
});
export type Credentials = Static<typeof Credentials>;

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

export async function writeCredentialsFile(home: string, credentials: Credentials): Promise<void> {
  await replaceFile(credentialsFile(home), `${JSON.stringify(credentials, null, 2)}\n`);
}
