/** `howdah vpc …` */
import type { Command } from "commander";
import type { OpenServiceCli } from "../service/service-cli.ts";
import { addAttach, addDetach } from "./attach.ts";
import { addPeer, addPeerings, addUnpeer } from "./peerings.ts";
import { addCreate, addDelete, addList, addRename } from "./plain.ts";

/** In the order of --help: what one does first comes first. */
const COMMANDS = [
  addCreate,
  addList,
  addAttach,
  addDetach,
  addPeer,
  addPeerings,
  addUnpeer,
  addRename,
  addDelete,
];

export function addVpcCommands(program: Command, open: OpenServiceCli): void {
  const vpc = program
    .command("vpc")
    .description("private networks from which services are reached")
    .addHelpText("after", HELP);
  for (const add of COMMANDS) add(vpc, open);
}

const HELP = `
A VPC is a network of the container engine: run your own containers in it, and attach services to it. It is named by
its name, where that is unique, or by its id. Which API is asked, and exit codes: howdah service --help.`;
