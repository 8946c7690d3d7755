/** What a person does in the console, on real databases: one service lives through it in order. */

import { Client } from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCredentialsFile } from "../../src/setup/credentials-file.ts";
import { openBrowser, type Visitor } from "../support/browser.ts";
import { memberContainer } from "../support/docker-engine.ts";
import { openTrial, type Trial } from "../support/trial.ts";

/** A step on real databases, on a machine that has other things to do. */
const WITHIN = { timeout: 180_000 };
const NEW_PASSWORD = "correct horse battery";

const browser = openBrowser({ lasting: true });
let trial: Trial;
let at: string;
let visitor: Visitor;
let page: Page;
let serviceId: string;
let uri: string;

beforeAll(async () => {
  trial = await openTrial();
  const credentials = await readCredentialsFile(trial.installation.home);
  if (!credentials) throw new Error("the installation has no credentials");
  at = credentials.api_url.replace(/api\/v1$/, "");
  visitor = await browser.visit({
    at,
    width: 1440,
    apiKey: credentials.api_key,
    expectedErrors: /status of 4\d\d/,
  });
  ({ page } = visitor);
});

afterAll(async () => {
  await trial?.dispose();
});

test("a visitor creates a service, sees each step, and connects with what is copied", async () => {
  await page
    .getByRole("link", { name: /^Create/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Name" }).fill("orders");
  await page.getByRole("button", { name: "Create the service" }).click();
  await page.getByRole("heading", { name: /^orders (is on its way|takes connections|is ready)$/ }).waitFor();
  await page.getByRole("tab", { name: "URI" }).click();
  uri = await page.getByTestId("connection-string").innerText();
  serviceId = /services\/(\w+)\/created/.exec(page.url())?.[1] ?? "";
  await page.getByText("It takes connections now.").waitFor(WITHIN);
  await visitor.screenshot("created");
  expect(await select(uri, "select current_user, current_database()")).toEqual([
    { current_user: "tsdbadmin", current_database: "tsdb" },
  ]);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("heading", { name: "orders is ready" }).waitFor(WITHIN);
});

test("the password is nowhere once the page was left", async () => {
  await visitor.go(`/services/${serviceId}`);
  await page.getByRole("heading", { name: "orders", level: 1, exact: true }).waitFor();
  const password = decodeURIComponent(new URL(uri).password);
  expect(await page.evaluate("JSON.stringify([sessionStorage, localStorage]) + location.href")).not.toContain(
    password,
  );
  await page.goBack();
  await page.getByRole("heading", { name: "orders is ready" }).waitFor();
  expect(await page.content()).not.toContain(password);
});

test("replicas are added once it is known what that takes", async () => {
  await visitor.go(`/services/${serviceId}/settings#replicas`);
  await choose("How many replicas", "2");
  await choose("How many of them synchronous", "1");
  await page.getByText("steps, in this order").waitFor();
  await page.getByRole("button", { name: "Change to 2 replicas, 1 synchronous" }).click();
  await page.getByText("Accepted: 2 replicas, 1 synchronous.").waitFor();
  await visitor.go(`/services/${serviceId}`);
  await page.getByText("member-0 leads. 2 replicas follow.").waitFor(WITHIN);
  await status("Ready").waitFor(WITHIN);
  await page.getByText("Synchronous replica").first().waitFor(WITHIN);
  await visitor.screenshot("replicated");
});

test("the picture moves when a primary is killed, and tells the member's return", async () => {
  await (await memberContainer(trial.docker, trial.installationId, serviceId, 0)).kill();
  await page.getByText(/^member-[12] leads\./).waitFor(WITHIN);
  await visitor.screenshot("failed-over");
  await page.getByText(/^member-[12] leads\. 2 replicas follow\.$/).waitFor(WITHIN);
  await page
    .getByRole("link", { name: "Events" })
    .or(page.getByRole("tab", { name: "Events" }))
    .first()
    .click();
  await page
    .getByText(/leads now|member 0/i)
    .first()
    .waitFor(WITHIN);
});

test("a resize tells what clients will notice, and comes into force", async () => {
  await visitor.go(`/services/${serviceId}/settings#size`);
  await page.getByRole("radio", { name: "1 CPU, 4 GB" }).click();
  await page.getByText(/steps?, in this order/).waitFor(WITHIN);
  await visitor.screenshot("resize-preview");
  await page.getByRole("button", { name: "Resize to 1 CPU, 4 GB" }).click();
  await page.getByText("Accepted: the service is resized to 1 CPU, 4 GB.").waitFor();
  await status("Ready").waitFor(WITHIN);
  await expect.poll(() => select(uri, "show shared_buffers"), WITHIN).toEqual([{ shared_buffers: "1GB" }]);
});

test("the pooler is turned on, and has an endpoint that works", async () => {
  await visitor.go(`/services/${serviceId}/settings#pooler`);
  await page.getByRole("switch", { name: "Connection pooler" }).click({ force: true });
  const copy = page.getByRole("button", { name: "Copy the pooler's endpoint" });
  await copy.waitFor(WITHIN);
  const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(await copy.locator("..").innerText()) ?? [];
  const pooled = new URL(uri);
  pooled.port = port;
  pooled.pathname = "/tsdb_transaction";
  expect(port).not.toBe(new URL(uri).port);
  await expect.poll(() => select(pooled.href, "select 1 as one"), WITHIN).toEqual([{ one: 1 }]);
});

test("a new password is in force where it says so", async () => {
  await visitor.go(`/services/${serviceId}/settings#password`);
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set the new password" }).click();
  await page.getByRole("heading", { name: "The new password is in force" }).waitFor(WITHIN);
  const renewed = new URL(uri);
  renewed.password = NEW_PASSWORD;
  await expect.poll(() => select(renewed.href, "select 1 as one"), WITHIN).toEqual([{ one: 1 }]);
  await expect(select(uri, "select 1")).rejects.toThrow(/password authentication failed/);
  uri = renewed.href;
});

test("SQL runs read-only unless that is switched off, shows rows and plans, and is cancelled", async () => {
  await visitor.go(`/services/${serviceId}/query`);
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Connect", exact: true }).last().click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await run("select generate_series(1, 3) as counted");
  await page.getByText("counted").last().waitFor();

  await run("create table written (n int)");
  await page
    .getByText(/in a read-only transaction/)
    .first()
    .waitFor();
  await page.getByRole("switch", { name: /read-only/i }).click({ force: true });
  await run("create table written (n int)");
  await expect
    .poll(() => select(uri, "select count(*)::int as n from pg_class where relname = 'written'"))
    .toEqual([{ n: 1 }]);

  await run("select pg_sleep(300)");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Cancelled" }).waitFor();
  await expect
    .poll(() =>
      select(uri, "select count(*)::int as n from pg_stat_activity where query like 'select pg_sleep%'"),
    )
    .toEqual([{ n: 0 }]);
});

test("stopped and started again, the service is where it was", async () => {
  await visitor.go(`/services/${serviceId}`);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop the service" }).click();
  await status("Stopped").waitFor(WITHIN);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Start the service" }).click();
  await status("Ready").waitFor(WITHIN);
  await expect.poll(() => select(uri, "select 1 as one"), WITHIN).toEqual([{ one: 1 }]);
});

test("a deletion asks for the name, and is told where it is over", async () => {
  await visitor.go(`/services/${serviceId}/settings#danger`);
  await page.getByRole("button", { name: /^Delete/ }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: /^Delete/ });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("orders");
  await confirm.click();
  await visitor.go("/services");
  await page
    .getByRole("link", { name: "orders", exact: true })
    .first()
    .waitFor({ state: "detached", ...WITHIN });
});

/** In the head of the page. */
function status(word: string) {
  return page.locator("h1 ~ *").getByText(word, { exact: true }).first();
}

async function choose(control: string, value: string): Promise<void> {
  await page.getByRole("radiogroup", { name: control }).getByText(value, { exact: true }).click();
}

/** Once nothing runs any more. */
async function run(sql: string): Promise<void> {
  await page.getByRole("button", { name: /^Run/ }).first().waitFor();
  const editor = page.getByRole("textbox", { name: /SQL/ }).first();
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(sql);
  await page.keyboard.press("Control+Enter");
}

/** As somebody with the connection string would; whoever signed the certificate. */
async function select(connectionString: string, sql: string): Promise<unknown[]> {
  const url = new URL(connectionString);
  url.searchParams.set("uselibpqcompat", "true");
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
