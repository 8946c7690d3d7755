import type { Command } from "commander";
import type { Client } from "../../client/index.ts";
import type { Message } from "../../contract/requests.ts";
import { print } from "../service/change.ts";
import { findService } from "../service/find-service.ts";
import {
  addCommand,
  NAME_OR_ID,
  type OutputOption,
  outputOption,
  SERVICE_ARGUMENT,
} from "../service/options.ts";
import type { OpenServiceCli } from "../service/service-cli.ts";
import { findVpc } from "./find-vpc.ts";
import { VPC_ARGUMENT } from "./options.ts";

type Send = (client: Client, serviceId: string, vpcId: string) => Promise<Message>;

export const addAttach = attachment(
  "attach",
  "let a service be reached from a VPC, besides its own endpoint",
  (client, serviceId, vpc_id) => client.attachToVpc(serviceId, { vpc_id }),
);

export const addDetach = attachment(
  "detach",
  "let a service be reached from a VPC no more",
  (client, serviceId, vpc_id) => client.detachFromVpc(serviceId, { vpc_id }),
);

function attachment(name: string, about: string, send: Send) {
  return (vpc: Command, open: OpenServiceCli): void => {
    addCommand(vpc, name, about, [`${name} backend orders`])
      .argument(...VPC_ARGUMENT)
      .argument(`<${SERVICE_ARGUMENT}>`, NAME_OR_ID)
      .addOption(outputOption())
      .action(async (vpcName: string, serviceName: string, options: OutputOption) => {
        const cli = await open();
        const { id } = await findVpc(cli.client, vpcName);
        const { service_id } = await findService(cli.client, serviceName);
        const answer = await send(cli.client, service_id, id);
        print(cli, options, answer, () => answer.message);
      });
  };
}
