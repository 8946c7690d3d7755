import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { ServiceRecord } from "../../client/index.ts";
import { randomSecret } from "../../lib/random-secret.ts";
import { UsageError } from "../failure.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { keepPassword, renderNewPassword } from "./new-password.ts";
import { addServiceCommand, type OutputOption, outputOption } from "./options.ts";
import { ADMIN_ROLE } from "./render-service.ts";
import type { OpenServiceCli, Person, ServiceCli } from "./service-cli.ts";

interface Options extends OutputOption {
  readonly generate?: boolean;
  readonly passwordFile?: string;
  readonly savePassword: boolean;
}

const STANDARD_INPUT = "-";

export function addPassword(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "password", "set the password of tsdbadmin; asks for it unless told otherwise", [
    "password orders",
    "password orders --generate",
    "password orders --password-file - < secret.txt",
  ])
    .option("--generate", "make one, and print it once")
    .addOption(
      new Option("--password-file <file>", "its first line is the password; - is standard input").conflicts(
        "generate",
      ),
    )
    .option("--no-save-password", "do not keep the password on this machine")
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const service = await findService(cli.client, idOrName);
      const password = await choosePassword(cli.person, options);
      const pending = await cli.client.updatePassword(service.service_id, { password });
      const kept = await keepPassword(cli, service, password, options.savePassword);
      const message = pending?.message ?? `The new password of ${ADMIN_ROLE} is in force.`;
      const shown = options.generate === true ? { password } : {};
      print(cli, options, { service_id: service.service_id, role: ADMIN_ROLE, message, ...shown }, () =>
        renderOutcome(cli, service, message, options.generate === true ? password : null, kept),
      );
    });
}

function renderOutcome(
  cli: ServiceCli,
  service: ServiceRecord,
  message: string,
  generated: string | null,
  kept: boolean,
): string {
  if (generated !== null) return `${message}\n${renderNewPassword(cli, service, generated, kept)}`;
  return kept ? `${message} It is kept in ${cli.passwords.file}.` : message;
}

/** Never from an argument: every process of the machine can read those. */
async function choosePassword(person: Person, { generate, passwordFile }: Options): Promise<string> {
  if (generate) return randomSecret();
  if (passwordFile === STANDARD_INPUT) return firstLine(await person.readAll());
  if (passwordFile !== undefined) return firstLine(await readText(passwordFile));
  if (!person.present)
    throw new UsageError(
      "Nobody is there to be asked. Say --generate, or --password-file - and write it there.",
    );
  const password = await person.askSecret("New password: ");
  if ((await person.askSecret("Once more: ")) !== password)
    throw new UsageError("These are two different passwords; nothing was changed.");
  return password;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
