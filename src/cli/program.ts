/** The command line: words and options, and what of the program they call. */
import { Command, InvalidArgumentError, Option } from "commander";
import type { Role } from "../contract/account.ts";
import type { NewKeyOptions } from "./accounts.ts";
import { addCompletion, type CompletionSource } from "./completion/command.ts";
import { addConsole } from "./console.ts";
import { addProjectCommands } from "./project/commands.ts";
import { addReplicaSetCommands } from "./replica-set/commands.ts";
import { addServiceCommands } from "./service/commands.ts";
import { addLogs } from "./service/logs.ts";
import { addMetrics } from "./service/metrics.ts";
import { addPlan } from "./service/plan.ts";
import type { OpenServiceCli } from "./service/service-cli.ts";
import { addVpcCommands } from "./vpc/commands.ts";

/** What the words do. Everything heavy is behind these, so that --help costs nothing. */
export interface Commands {
  start(options: { platform: string | undefined }): Promise<void>;
  down(options: { purge: boolean }): Promise<void>;
  createKey(options: NewKeyOptions): Promise<void>;
  listKeys(project: string | undefined): Promise<void>;
  revokeKey(publicKey: string): Promise<void>;
  createProject(name: string): Promise<void>;
  listProjects(): Promise<void>;
  readonly openServiceCli: OpenServiceCli;
  readonly completion: CompletionSource;
}

const ROLES: readonly Role[] = ["operator", "admin", "member", "read_only"];
const MAX_NAME_LENGTH = 128;
const DAY_MS = 86_400_000;

export function buildProgram(commands: Commands): Command {
  const program = new Command("howdah")
    .description("A self-hosted cloud for PostgreSQL services.")
    // Whoever runs it decides how the process ends; commands inherit this.
    .exitOverride()
    .showHelpAfterError("(howdah --help shows every command)")
    .addHelpText("after", SETTINGS);
  program
    .command("start")
    .description("start the control plane, and set up whatever is missing for it")
    .addOption(new Option("--platform <name>", "where databases run").choices(["docker", "simulated"]))
    .action((options: { platform?: string }) => commands.start({ platform: options.platform }));
  program
    .command("down")
    .description("stop the control plane and every database; all data is kept")
    .option("--purge", "remove everything that this installation made, data included")
    .action((options: { purge?: boolean }) => commands.down({ purge: options.purge === true }));
  addConsole(program, commands.openServiceCli);
  addServiceCommands(program, commands.openServiceCli);
  addReplicaSetCommands(program, commands.openServiceCli);
  // What somebody types who waits or looks, and who need not say that it is about a service.
  for (const add of [addPlan, addLogs, addMetrics]) add(program, commands.openServiceCli);
  addVpcCommands(program, commands.openServiceCli);
  addProjectCommands(program, commands.openServiceCli);
  addKeys(program, commands);
  addProjects(program, commands);
  addCompletion(program, commands.completion);
  return program;
}

function addKeys(program: Command, commands: Commands): void {
  const keys = program.command("keys").description("make, list and revoke API keys");
  keys
    .command("create")
    .description("make a key; it is shown once")
    .option("--project <id>", "whose key it is; left out: the only project's")
    .option("--name <name>", "what it is for", parseName, "key")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).default("admin"))
    .option("--expires-in-days <days>", "after how many days it stops working", parseDays)
    .action((options: { project?: string; name: string; role: Role; expiresInDays?: number }) =>
      commands.createKey({
        project: options.project,
        name: options.name,
        role: options.role,
        expiresAt:
          options.expiresInDays === undefined ? null : new Date(Date.now() + options.expiresInDays * DAY_MS),
      }),
    );
  keys
    .command("list")
    .description("list keys, without their secrets")
    .option("--project <id>", "of this project alone")
    .action((options: { project?: string }) => commands.listKeys(options.project));
  keys
    .command("revoke")
    .description("make a key useless from now on")
    .argument("<public-key>", "its public half, as in the list")
    .action((publicKey: string) => commands.revokeKey(publicKey));
}

function addProjects(program: Command, commands: Commands): void {
  const projects = program.command("projects").description("make and list projects");
  projects
    .command("create")
    .description("make a project")
    .argument("<name>", "1 to 128 characters", parseName)
    .action((name: string) => commands.createProject(name));
  projects
    .command("list")
    .description("list projects")
    .action(() => commands.listProjects());
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || Array.from(name).length > MAX_NAME_LENGTH)
    throw new InvalidArgumentError(`It has to have 1 to ${MAX_NAME_LENGTH} characters.`);
  return name;
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500)
    throw new InvalidArgumentError("It has to be a whole number from 1 to 36500.");
  return days;
}

const SETTINGS = `
Settings (environment variables):
  HOWDAH_HOME               folder of this installation (~/.howdah)
  HOWDAH_HOST, HOWDAH_PORT  where the API listens (127.0.0.1, 8420)
  HOWDAH_PUBLIC_HOST        the name that endpoints carry
  HOWDAH_PLATFORM           docker or simulated
  HOWDAH_SIZES              sizes on offer, such as 500/2,1000/4 (cpu_millis/memory_gbs)
  HOWDAH_CPU_OVERCOMMIT, HOWDAH_MEMORY_OVERCOMMIT
                            how many times over a machine is promised (8, 2)
  HOWDAH_CONCURRENCY        services worked on at a time (8)
  HOWDAH_RATE_LIMIT         requests in 10 seconds with one key (2000)
  HOWDAH_EVENT_DAYS, HOWDAH_AUDIT_DAYS
                            how long events and the audit are kept (90, 400)
  HOWDAH_WEBHOOK_ALLOW_CIDRS
                            where webhooks may go beside the public internet, such as 10.0.0.0/8
  HOWDAH_TRUSTED_PROXIES    whose X-Forwarded-For is believed, such as 192.0.2.1
  HOWDAH_LOG_LEVEL          trace, debug, info, warn, error or silent (info)
  HOWDAH_LOG_MB, HOWDAH_LOG_DAYS
                            what each member keeps of PostgreSQL's log (100, 7)
  DATABASE_URL              a state database of your own
  DOCKER_HOST               the container engine to use`;
