/** `howdah service …`, one file a command. */
import type { Command } from "commander";
import { addAllow } from "./allow.ts";
import { addConnect } from "./connect.ts";
import { addCreate } from "./create.ts";
import { addDelete } from "./delete.ts";
import { addEnvironment } from "./environment.ts";
import { addEvents } from "./events.ts";
import { addFork } from "./fork.ts";
import { addGet } from "./get.ts";
import { addHa } from "./ha.ts";
import { addList } from "./list.ts";
import { addLogs } from "./logs.ts";
import { addMetrics } from "./metrics.ts";
import { addNodes } from "./nodes.ts";
import { addParameters } from "./parameters.ts";
import { addPassword } from "./password.ts";
import { addStart, addStop, addSwitchover } from "./plain-changes.ts";
import { addPlan } from "./plan.ts";
import { addPooler } from "./pooler.ts";
import { addProtect } from "./protect.ts";
import { addRename } from "./rename.ts";
import { addResize } from "./resize.ts";
import type { OpenServiceCli } from "./service-cli.ts";

/** In the order of --help: what one does first comes first. */
const COMMANDS = [
  addCreate,
  addList,
  addGet,
  addConnect,
  addEvents,
  addPlan,
  addNodes,
  addLogs,
  addMetrics,
  addHa,
  addResize,
  addSwitchover,
  addStop,
  addStart,
  addFork,
  addRename,
  addEnvironment,
  addPassword,
  addPooler,
  addParameters,
  addAllow,
  addProtect,
  addDelete,
];

export function addServiceCommands(program: Command, open: OpenServiceCli): void {
  const service = program
    .command("service")
    .description("make, change and use services")
    .addHelpText("after", HELP);
  for (const add of COMMANDS) add(service, open);
}

const HELP = `
A service is named by its name, where that is unique, or by its id. Commands that change one return when the change is
in force, or at once with --no-wait; Ctrl-C ends the waiting, never the change.

Which API they ask:
  HOWDAH_API_KEY      its key; without one, the installation in HOWDAH_HOME on this machine is asked
  HOWDAH_API_URL      its address up to the version (http://127.0.0.1:8420/api/v1)
  HOWDAH_PROJECT_ID   left out: the key's project

Exit codes:
  0 done                       4 there is no such service or VPC
  1 a defect                   5 in conflict, protected, or no room
  2 a mistake in the request   6 the API is out of reach or busy
  3 the key does not allow it  7 not in force within --timeout
Ctrl-C: 130. connect ends as psql does.`;
