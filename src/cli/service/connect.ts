import { type Command, Option } from "commander";
import type { ServiceRecord } from "../../client/index.ts";
import { cleanDetail } from "../../lib/progress-line.ts";
import { CommandFailed, EXIT } from "../failure.ts";
import type { Place } from "../passwords/pgpass.ts";
import { findService } from "./find-service.ts";
import { keepPassword } from "./new-password.ts";
import { addServiceCommand } from "./options.ts";
import { ADMIN_ROLE, DATABASE, endpointOf, poolerOf } from "./render-service.ts";
import type { OpenServiceCli } from "./service-cli.ts";

type Pooling = "session" | "transaction";

interface Options {
  /** true where it was left open which. */
  readonly pooled?: Pooling | true;
  readonly role: string;
  readonly readOnly?: boolean;
}

const DATABASES: Readonly<Record<Pooling, string>> = {
  session: DATABASE,
  transaction: `${DATABASE}_transaction`,
};

export function addConnect(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "connect", "open psql, from the service image where this machine has none", [
    "connect orders",
    "connect orders --pooled transaction",
    "connect orders --role reader --read-only",
    "connect orders -- -c 'select version()'",
  ])
    .argument("[args...]", "for psql, after --")
    .addOption(
      new Option("--pooled [kind]", "through the pooler; session where no kind is named").choices([
        "session",
        "transaction",
      ]),
    )
    .option("--role <name>", "as whom", ADMIN_ROLE)
    .option("--read-only", "whatever the session tries, it writes nothing")
    .action(async (idOrName: string, args: string[], options: Options) => {
      const cli = await open();
      const found = await findService(cli.client, idOrName);
      const pooling = options.pooled === true ? "session" : options.pooled;
      const place = requirePlace(found, pooling !== undefined);
      const password = await cli.passwords.find(found.service_id, options.role);
      // The pooler may have been switched on by somebody else since the password was kept.
      if (password !== null && options.role === ADMIN_ROLE) await keepPassword(cli, found, password, true);
      const exitCode = await cli.runPsql(
        {
          place,
          role: options.role,
          database: DATABASES[pooling ?? "session"],
          readOnly: options.readOnly === true,
          password,
          authorityFile: cli.authorityFile,
        },
        args,
      );
      if (exitCode !== EXIT.ok) throw new CommandFailed(exitCode, "");
    });
}

/** Where to connect to. Throws CommandFailed where nothing listens. */
function requirePlace(service: ServiceRecord, pooled: boolean): Place {
  const name = cleanDetail(service.name);
  if (service.status === "PAUSED" || service.status === "PAUSING")
    throw new CommandFailed(
      EXIT.conflict,
      `${name} is ${service.status}; howdah service start ${service.service_id} starts it.`,
    );
  const place = pooled ? poolerOf(service) : endpointOf(service);
  if (place) return place;
  throw new CommandFailed(
    EXIT.conflict,
    pooled
      ? `The pooler of ${name} is off; howdah service pooler ${service.service_id} on switches it on.`
      : `${name} has no endpoint.`,
  );
}
