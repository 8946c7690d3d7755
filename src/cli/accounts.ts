/** What an operator does with projects and keys, on the state database itself: the API knows no such operations. */
import type { Role } from "../contract/account.ts";
import type { Db } from "../store/db.ts";
import { createKey, type KeyInfo, listKeys, revokeKey } from "../store/keys.ts";
import { createProject, listProjects } from "../store/projects.ts";
import { renderColumns } from "./columns.ts";
import { UsageError } from "./failure.ts";

export interface NewKeyOptions {
  /** Left out: the only project there is. */
  readonly project: string | undefined;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: Date | null;
}

/** Each returns what is to be printed. */
export async function addProject(db: Db, name: string): Promise<string> {
  const { id } = await createProject(db, name);
  return `Project ${id} (${name}) was made. Make a key for it:\n  howdah keys create --project ${id}`;
}

export async function showProjects(db: Db): Promise<string> {
  const projects = await listProjects(db);
  return renderColumns(
    ["project id", "name"],
    projects.map(({ id, name }) => [id, name]),
  );
}

export async function addKey(db: Db, options: NewKeyOptions): Promise<string> {
  const projectId = await chooseProject(db, options.project);
  const key = await createKey(db, { ...options, projectId });
  return [
    renderColumns(
      ["project id", "role", "public key", "secret key"],
      [[projectId, options.role, key.publicKey, key.secretKey]],
    ),
    "",
    `API key: ${key.apiKey}`,
    "It is shown this once; only its hash is kept.",
  ].join("\n");
}

export async function showKeys(db: Db, project: string | undefined, now: Date): Promise<string> {
  if (project !== undefined) await chooseProject(db, project);
  const keys = await listKeys(db, project);
  return renderColumns(
    ["public key", "project id", "role", "state", "created", "name"],
    keys.map((key) => [
      key.publicKey,
      key.projectId,
      key.role,
      stateOf(key, now),
      key.createdAt.toISOString().slice(0, 10),
      key.name,
    ]),
  );
}

export async function removeKey(db: Db, publicKey: string): Promise<string> {
  if (!(await revokeKey(db, publicKey)))
    throw new UsageError(`There is no key with the public half ${publicKey}; howdah keys list shows all.`);
  return `The key ${publicKey} is revoked.`;
}

async function chooseProject(db: Db, wanted: string | undefined): Promise<string> {
  const projects = await listProjects(db);
  const known = projects.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (wanted !== undefined) {
    if (projects.some(({ id }) => id === wanted)) return wanted;
    throw new UsageError(`There is no project ${wanted}. There are:\n${known}`);
  }
  const [first, ...others] = projects;
  if (!first) throw new UsageError("There is no project yet; howdah projects create <name> makes one.");
  if (others.length > 0) throw new UsageError(`Say which project with --project. There are:\n${known}`);
  return first.id;
}

function stateOf({ revokedAt, expiresAt }: KeyInfo, now: Date): string {
  if (revokedAt) return "revoked";
  if (!expiresAt) return "active";
  const day = expiresAt.toISOString().slice(0, 10);
  return expiresAt <= now ? `expired ${day}` : `until ${day}`;
}
