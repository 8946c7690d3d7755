/** The way of a service that was just accepted: its password is safe before anything else is done. */
import type { ServiceRecord } from "../../client/index.ts";
import { follow, print } from "./change.ts";
import { keepPassword, renderNewPassword } from "./new-password.ts";
import type { OutputOption, WaitOption } from "./options.ts";
import type { ServiceCli } from "./service-cli.ts";

export interface NewServiceOptions extends OutputOption, WaitOption {
  readonly savePassword: boolean;
}

export async function receiveService(
  cli: ServiceCli,
  accepted: ServiceRecord,
  options: NewServiceOptions,
): Promise<void> {
  const password = accepted.initial_password;
  const kept = password !== undefined && (await keepPassword(cli, accepted, password, options.savePassword));
  if (options.output === "table" && password !== undefined)
    cli.stdout.write(`${renderNewPassword(cli, accepted, password, kept)}\n`);
  // A program reads one record. It has the password, so it comes even where the wait ends badly.
  let record = accepted;
  try {
    if (options.wait) {
      const settled = await follow(cli, accepted, "READY", options);
      record = password === undefined ? settled : { ...settled, initial_password: password };
    }
  } finally {
    if (options.output === "json") print(cli, options, record, () => "");
  }
}
