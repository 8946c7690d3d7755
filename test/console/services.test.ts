/** The list of services, what is left behind after a create, and VPCs; over simulated databases. */
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

test("what is searched and chosen stands in the address, and the keyboard goes through the rows", async () => {
  const client = site.client();
  await client.createService({ name: "orders", environment_tag: "PROD" });
  await client.createService({ name: "billing", addons: [] });
  const { page } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const rows = page.getByRole("table", { name: "Services" }).getByRole("link");
  await page.getByText("2 services", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Environment" }).click();
  await page.getByRole("checkbox", { name: /PROD/ }).check();
  await page.getByText("1 of 2 services").waitFor();
  await page.reload();
  await page.getByText("1 of 2 services").waitFor();
  expect(await rows.allInnerTexts()).toEqual(["orders"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("nothing of that name");
  await page.getByText("No service is like that").waitFor();
  await page.getByRole("button", { name: "Show all services" }).click();
  await page.getByText("2 services", { exact: true }).waitFor();
  await page.getByRole("searchbox").press("ArrowDown");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "orders", level: 1 }).waitFor();
});

test("a service is stopped and started from its row, and the row tells so by itself", async () => {
  const client = site.client();
  const { service_id: id } = await client.createService({ name: "paused for a while" });
  await client.waitFor(id, "READY", { deadlineMs: 120_000 });
  const { page } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const row = page.getByRole("row").filter({ hasText: "paused for a while" });
  for (const [item, button, status] of [
    ["Stop …", "Stop the service", "Stopped"],
    ["Start …", "Start the service", "Ready"],
  ] as const) {
    await row.getByRole("button", { name: /^Actions of/ }).click();
    const choose = () => page.getByRole("menuitem", { name: item, exact: true }).click();
    await choose();
    // Whoever thinks better of it is where they were before.
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await choose();
    await page.getByRole("button", { name: button }).click();
    await row.getByText(status, { exact: true }).waitFor();
  }
  expect((await client.getService(id)).status).toBe("READY");
});

test("nobody leaves a new service without its password by mistake", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/create");
  await page.getByRole("textbox", { name: "Name" }).fill("left in a hurry");
  await page.getByRole("radio", { name: /^One synchronous replica/ }).click();
  await page.getByText("right after that, one is made synchronous").waitFor();
  await page.getByRole("button", { name: "Create the service" }).click();
  await page.getByRole("tab", { name: "URI" }).click();
  const { password } = new URL(await page.getByTestId("connection-string").innerText());
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("dialog", { name: "The password was not copied" }).waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("heading", { name: "left in a hurry is ready" }).waitFor();
  await page.getByRole("button", { name: "Hide the password" }).click();
  await expect.poll(() => page.content()).not.toContain(password);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Leave without it" }).click();
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  await page.goBack();
  await page.getByText(/Without the password/).waitFor();
  const [created] = (await site.client().listServices()).filter(({ name }) => name === "left in a hurry");
  expect(created?.ha_replicas).toEqual({ replica_count: 1, sync_replica_count: 1 });
});

test("a fork is told as it comes up, with a password of its own", async () => {
  const client = site.client();
  const { service_id: id } = await client.createService({ name: "forked" });
  await client.waitFor(id, "READY", { deadlineMs: 30_000 });
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go(`/services/${id}`);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Fork …" }).click();
  await page.getByRole("button", { name: "Fork the service" }).click();
  await page.getByRole("heading", { name: "forked-fork is ready" }).waitFor();
  expect(page.url()).not.toContain(id);
  await page.getByRole("tab", { name: "URI" }).click();
  const { password } = new URL(await page.getByTestId("connection-string").innerText());
  expect(password).not.toBe("");
  await page.getByText("Now: the addresses that the other service lets in.").waitFor();
  await page.getByRole("link", { name: /^Open the service/ }).click();
  await page.getByRole("dialog", { name: "The password was not copied" }).waitFor();
  await page.getByRole("button", { name: "Leave without it" }).click();
  await page.getByRole("heading", { name: "forked-fork", level: 1, exact: true }).waitFor();
  await page.goBack();
  await page.getByText(/Without the password/).waitFor();
  expect(await page.content()).not.toContain(password);
});

test("a VPC is made, lets a service be reached, tells of a peering, and is deleted", async () => {
  const client = site.client();
  const { service_id: id } = await client.createService({ name: "reached from a VPC" });
  await client.waitFor(id, "READY", { deadlineMs: 120_000 });
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go("/vpcs");
  await page.getByRole("button", { name: "Create a VPC" }).click();
  const range = page.getByLabel("Range of addresses");
  await page.getByRole("dialog").getByLabel("Name").fill("backend");
  await range.fill("8.8.8.0/24");
  await page.getByRole("button", { name: /^Create with/ }).click();
  await page.getByText(/is no private range/).waitFor();
  await range.fill("10.60.0.0/24");
  await page.getByRole("button", { name: "Create with 256 addresses" }).click();
  await page.getByRole("heading", { name: "backend" }).waitFor();

  await page.getByPlaceholder("Choose a service").click();
  await page.getByRole("option", { name: /^reached from a VPC/ }).click();
  await page.getByRole("button", { name: "Attach", exact: true }).click();
  await page.getByText(`${id}.howdah.internal:5432`, { exact: true }).waitFor();
  await page.getByPlaceholder(/^Name of a network/).fill("app_default");
  await page.getByRole("button", { name: "Peer", exact: true }).click();
  await page.getByText("the engine has no network app_default").waitFor();

  await page.getByRole("button", { name: "Delete the peering with app_default" }).click();
  await page.getByRole("button", { name: "Delete the peering", exact: true }).click();
  await page.getByRole("button", { name: "Detach reached from a VPC" }).click();
  await page.getByRole("button", { name: "Detach the service" }).click();
  await page.getByText(`${id}.howdah.internal:5432`, { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("textbox", { name: /to confirm/ }).fill("backend");
  await page.getByRole("button", { name: "Delete the VPC" }).click();
  await page.getByText("No VPCs yet").waitFor();
  expect(await client.listVpcs()).toEqual([]);
});
