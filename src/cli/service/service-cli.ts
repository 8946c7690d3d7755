/** What the commands of `howdah service` work with. */
import type { Client } from "../../client/index.ts";
import type { TerminalOutput } from "../../lib/progress-line.ts";
import type { PasswordFile } from "../passwords/password-file.ts";
import type { PsqlSession } from "../psql/session.ts";

export interface ServiceCli {
  readonly client: Client;
  /** The API that it asks, up to its version. */
  readonly apiUrl: string;
  /** Results, and nothing else: programs read them. */
  readonly stdout: TerminalOutput;
  /** What goes on, for people. */
  readonly stderr: TerminalOutput;
  /** False where NO_COLOR asks for none; without a terminal there is none anyway. */
  readonly color: boolean;
  readonly passwords: PasswordFile;
  /** The installation's authority, where this machine has it and the API is that installation's; else null. */
  readonly authorityFile: string | null;
  /** The engine's name of a VPC's network; null where the API is not that of this machine's installation. */
  readonly vpcNetwork: ((vpcId: string) => string) | null;
  readonly person: Person;
  /** Runs work that Ctrl-C shall end in order, and not the program at once. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Runs psql to its end and returns its exit code. */
  runPsql(session: PsqlSession, args: readonly string[]): Promise<number>;
}

/** Who types. */
export interface Person {
  /** Whether there is a person to be asked. */
  readonly present: boolean;
  ask(question: string): Promise<string>;
  /** Nothing of the answer is shown. */
  askSecret(question: string): Promise<string>;
  /** Everything that comes on standard input. */
  readAll(): Promise<string>;
}

/** Called by a command when it runs, so that --help asks nothing of the machine. */
export type OpenServiceCli = () => Promise<ServiceCli>;
