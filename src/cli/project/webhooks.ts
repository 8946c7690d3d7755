import type { Command } from "commander";
import type { DeliveryRecord, WebhookRecord } from "../../client/index.ts";
import { renderColumns } from "../columns.ts";
import { addExamples } from "../examples.ts";
import { print } from "../service/change.ts";
import { type OutputOption, outputOption, parseCount } from "../service/options.ts";
import type { OpenServiceCli, ServiceCli } from "../service/service-cli.ts";

interface CreateOptions extends OutputOption {
  readonly type?: string[];
  readonly description?: string;
}

const DEFAULT_LIMIT = 20;

export function addWebhooks(program: Command, open: OpenServiceCli): void {
  const webhooks = program
    .command("webhooks")
    .description("send events to a URL, signed (Standard Webhooks)");
  addList(webhooks, open);
  addCreate(webhooks, open);
  addSwitch(webhooks, open, "enable", true);
  addSwitch(webhooks, open, "disable", false);
  addRotate(webhooks, open);
  addTest(webhooks, open);
  addDeliveries(webhooks, open);
  addRedeliver(webhooks, open);
  addDelete(webhooks, open);
}

function addList(webhooks: Command, open: OpenServiceCli): void {
  addExamples(webhooks.command("list").description("list them"), ["webhooks list", "webhooks list -o json"])
    .addOption(outputOption())
    .action(async (options: OutputOption) => {
      const cli = await open();
      const all = await cli.client.listWebhooks();
      print(cli, options, all, () =>
        renderColumns(
          ["id", "url", "events", "state"],
          all.map((one) => [one.id, one.url, one.event_types.join(" "), stateOf(one)]),
        ),
      );
    });
}

function addCreate(webhooks: Command, open: OpenServiceCli): void {
  addExamples(webhooks.command("create").description("send events to a URL; its secret is shown once"), [
    "webhooks create https://hooks.example.com/howdah",
    "webhooks create https://hooks.example.com/howdah --type service.status service.role",
  ])
    .argument("<url>", "https, on the public internet unless the operator allows others")
    .option("--type <types...>", "such as service.status, or service.resize for all that begin with it")
    .option("--description <text>", "what it is for")
    .addOption(outputOption())
    .action(async (url: string, { type, description, ...options }: CreateOptions) => {
      const cli = await open();
      const webhook = await cli.client.createWebhook({
        url,
        ...(type === undefined ? {} : { event_types: type }),
        ...(description === undefined ? {} : { description }),
      });
      print(cli, options, webhook, () => renderSecret(webhook));
    });
}

function addSwitch(
  webhooks: Command,
  open: OpenServiceCli,
  word: "enable" | "disable",
  enabled: boolean,
): void {
  addById(
    webhooks,
    word,
    enabled ? "send events again" : "send nothing for now",
    async (cli, id, options) => {
      const webhook = await cli.client.updateWebhook(id, { enabled });
      print(cli, options, webhook, () => `${webhook.id} is ${stateOf(webhook)}.`);
    },
  )(open);
}

function addRotate(webhooks: Command, open: OpenServiceCli): void {
  const what = "give it a new secret; the old one signs too for a day";
  addById(webhooks, "rotate", what, async (cli, id, options) => {
    const webhook = await cli.client.rotateWebhookSecret(id);
    print(cli, options, webhook, () => renderSecret(webhook));
  })(open);
}

function addTest(webhooks: Command, open: OpenServiceCli): void {
  addById(webhooks, "test", "send it a test; deliveries tells how that went", async (cli, id, options) => {
    const delivery = await cli.client.testWebhook(id);
    print(cli, options, delivery, () => `Delivery ${delivery.id} is on its way.`);
  })(open);
}

function addDelete(webhooks: Command, open: OpenServiceCli): void {
  addById(webhooks, "delete", "delete it with its queue and its log", async (cli, id, options) => {
    await cli.client.deleteWebhook(id);
    print(cli, options, null, () => `${id} is deleted.`);
  })(open);
}

function addDeliveries(webhooks: Command, open: OpenServiceCli): void {
  addExamples(
    webhooks.command("deliveries").description("tell what was sent, and what is still to be sent"),
    ["webhooks deliveries w4k1p9s0zq --limit 100"],
  )
    .argument("<webhook>", "its id")
    .option("--limit <count>", "how many at most, 1 to 500", parseCount, DEFAULT_LIMIT)
    .addOption(outputOption())
    .action(async (id: string, { limit, ...options }: OutputOption & { limit: number }) => {
      const cli = await open();
      const deliveries = await cli.client.listWebhookDeliveries(id, { limit });
      print(cli, options, deliveries, () => renderDeliveries(deliveries));
    });
}

function addRedeliver(webhooks: Command, open: OpenServiceCli): void {
  addExamples(webhooks.command("redeliver").description("send a delivery once more"), [
    "webhooks redeliver w4k1p9s0zq 7",
  ])
    .argument("<webhook>", "its id")
    .argument("<delivery>", "the id of the delivery")
    .addOption(outputOption())
    .action(async (id: string, delivery: string, options: OutputOption) => {
      const cli = await open();
      const again = await cli.client.redeliverWebhook(id, delivery);
      print(cli, options, again, () => `Delivery ${again.id} is on its way.`);
    });
}

type ById = (cli: ServiceCli, id: string, options: OutputOption) => Promise<void>;

function addById(webhooks: Command, word: string, what: string, act: ById) {
  const command = addExamples(webhooks.command(word).description(what), [`webhooks ${word} w4k1p9s0zq`])
    .argument("<webhook>", "its id")
    .addOption(outputOption());
  return (open: OpenServiceCli) =>
    command.action(async (id: string, options: OutputOption) => act(await open(), id, options));
}

function stateOf({ enabled, disabled_reason, failures }: WebhookRecord): string {
  if (!enabled) return disabled_reason === undefined ? "disabled" : `disabled: ${disabled_reason}`;
  return failures === 0 ? "enabled" : `enabled, ${failures} tries failed`;
}

function renderSecret({ id, url, secret }: WebhookRecord): string {
  return [`Webhook ${id} to ${url}`, `Secret  ${secret ?? ""}`, "The secret is shown this one time."].join(
    "\n",
  );
}

function renderDeliveries(deliveries: readonly DeliveryRecord[]): string {
  const rows = deliveries
    .toReversed()
    .map(({ id, created, event_type, state, attempts, response_status, error, next_attempt }) => [
      id,
      created,
      event_type,
      state,
      String(attempts),
      error ?? String(response_status ?? "-"),
      next_attempt ?? "-",
    ]);
  return renderColumns(["id", "at", "event", "state", "tries", "answer", "next try"], rows);
}
