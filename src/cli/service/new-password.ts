/** What happens to a password that was just made: it is kept for `connect`, and shown this once. */
import type { ServiceRecord } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { fitsPgpass } from "../passwords/pgpass.ts";
import { ADMIN_ROLE, connectionString, endpointOf, placesOf } from "./render-service.ts";
import type { ServiceCli } from "./service-cli.ts";

/** Whether it is kept from now on. What was kept before is no longer true, and goes in any case. */
export async function keepPassword(
  cli: ServiceCli,
  service: ServiceRecord,
  password: string,
  wanted: boolean,
): Promise<boolean> {
  const places = placesOf(service);
  const kept = wanted && places.length > 0 && fitsPgpass(password);
  if (!kept) await cli.passwords.forget(service.service_id);
  else await cli.passwords.save({ serviceId: service.service_id, places, role: ADMIN_ROLE, password });
  return kept;
}

/** The connection string, with whatever is worth knowing about the password in it. */
export function renderNewPassword(
  cli: ServiceCli,
  service: ServiceRecord,
  password: string,
  kept: boolean,
): string {
  const place = endpointOf(service);
  const where = kept ? `; it is kept in ${cli.passwords.file}` : " and kept nowhere";
  return [
    `${cleanDetail(service.name)} (${service.service_id})`,
    place ? connectionString(place, password) : `password: ${password}`,
    `The password is shown this once${where}.`,
  ].join("\n");
}
