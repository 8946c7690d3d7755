import type { Project } from "../contract/account.ts";
import { randomId } from "../lib/ids.ts";
import type { Db } from "./db.ts";

export async function createProject(db: Db, name: string): Promise<Project> {
  return db
    .insertInto("projects")
    .values({ id: randomId(), name })
    .returning(["id", "name"])
    .executeTakeFirstOrThrow();
}

/** In the order they were made. */
export async function listProjects(db: Db): Promise<readonly Project[]> {
  return db.selectFrom("projects").select(["id", "name"]).orderBy("created_at").orderBy("id").execute();
}
