/** What is about a whole project or installation: activity, webhooks, audit, operator; over simulated databases. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

test("the activity tells what happens as it happens, and only what was asked for where that is chosen", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/activity");
  await page.getByText("Nothing has happened yet").waitFor();
  const { service_id: id } = await site.client().createService({ name: "watched" });
  const events = page.getByRole("main").getByRole("listitem");
  await events.filter({ hasText: "→ READY" }).first().waitFor();
  await page.getByRole("combobox", { name: "What" }).click();
  await page.getByRole("option", { name: "What was asked for" }).click();
  await events.filter({ hasText: "watched was accepted" }).getByText("by you").waitFor();
  await expect.poll(() => events.count()).toBe(1);
  await page.reload();
  await events.filter({ hasText: "watched was accepted" }).getByRole("link", { name: "watched" }).click();
  await page.waitForURL(new RegExp(id));
});

test("a webhook is made, tried, disabled and deleted, and its secret is shown once", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/webhooks");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  await page.getByLabel("URL").fill("https://hooks.invalid/in");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  const secret = await page.getByText(/^whsec_/).innerText();
  await page.getByRole("button", { name: "I have kept the secret" }).click();
  await page.getByRole("heading", { name: "https://hooks.invalid/in" }).waitFor();
  await expect.poll(() => page.content()).not.toContain(secret);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page
    .getByRole("list", { name: /^Deliveries/ })
    .getByText("webhook.test", { exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel(/to confirm/).fill("hooks.invalid");
  await page.getByRole("button", { name: "Delete the webhook" }).click();
  await page.getByText("Nothing is sent anywhere yet").waitFor();
  expect(await site.client().listWebhooks()).toEqual([]);
});

test("the audit is searched, and downloaded whole", async () => {
  const { service_id: id } = await site.client().createService({ name: "audited" });
  await site.client().renameService(id, { name: "renamed" });
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/audit");
  const records = page.getByRole("region", { name: "Records" }).getByRole("row");
  await page.getByLabel("Find").fill(`${id} rename`);
  await records.filter({ hasText: "Rename service" }).getByText("Accepted 200").waitFor();
  await expect.poll(() => records.count()).toBe(2);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("audit-default.jsonl");
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
  expect(lines.some((line) => line.includes("createService"))).toBe(true);
});

test("the operator sees what is left to do in every project, and nobody else does", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/operator");
  await page.getByRole("heading", { name: "Region simulated" }).waitFor();
  await page.getByText("Engine answers").waitFor();
  await page.getByRole("meter", { name: "Memory promised" }).waitFor();
  const admin = await browser.visit({ at: site.at(), apiKey: await site.newKey("admin") });
  await admin.go("/operator");
  await admin.page.getByText("This page needs the operator's key").waitFor();
  expect(await admin.page.getByRole("link", { name: "Operator" }).count()).toBe(0);
});
