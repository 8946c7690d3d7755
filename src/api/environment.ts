import type { Message } from "../contract/requests.ts";
import type { Environment } from "../contract/service.ts";
import type { Db } from "../store/db.ts";
import { changeDetail } from "../store/service-details.ts";
import { changedService } from "./change.ts";
import type { SetTarget, Target } from "./target.ts";

/** Tags a service or a read replica set, in force at once. */
export async function tagEnvironment(
  db: Db,
  target: Target | SetTarget,
  environment: Environment,
): Promise<Message> {
  const message = `The environment is ${environment}.`;
  const event = { type: "service.environment.set", message };
  changedService(await changeDetail(db, target, { environment }, event));
  return { message };
}
