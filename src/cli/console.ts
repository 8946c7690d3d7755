import type { Command } from "commander";
import { consoleUrl } from "../contract/console-url.ts";
import { addExamples } from "./examples.ts";
import { print } from "./service/change.ts";
import { type OutputOption, outputOption } from "./service/options.ts";
import type { OpenServiceCli } from "./service/service-cli.ts";

export function addConsole(program: Command, open: OpenServiceCli): void {
  addExamples(
    program
      .command("console")
      .description("print a link that signs in to the web console once; it opens nothing"),
    ["console", "console -o json"],
  )
    .addOption(outputOption())
    .action(async (options: OutputOption) => {
      const cli = await open();
      const { token, expires_at } = await cli.client.createSignInLink();
      const url = consoleUrl(cli.apiUrl, token);
      print(cli, options, { url, expires_at }, () => url);
      if (options.output !== "json") cli.stderr.write("It signs in once, within 15 minutes.\n");
    });
}
