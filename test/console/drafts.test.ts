/** What is changed in the settings and not saved is not lost by looking at something else; over simulated databases. */
import { beforeAll, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();
let id: string;

beforeAll(async () => {
  ({ service_id: id } = await site.client().createService({ name: "changed" }));
  await site.client().waitFor(id, "READY", { deadlineMs: 30_000 });
});

test("changes outlast a look at another section or tab, and leaving the service asks", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go(`/services/${id}/settings#parameters`);
  await page.getByRole("textbox", { name: /^work_mem/ }).fill("9MB");
  const sections = page.getByRole("navigation", { name: "Settings" });
  await sections.getByRole("link", { name: "Who may connect" }).click();
  await page.getByRole("textbox", { name: "An address or a range" }).fill("192.0.2.0/24");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await sections.getByRole("link", { name: "Parameters not saved" }).click();
  expect(await page.getByRole("textbox", { name: /^work_mem/ }).inputValue()).toBe("9MB");

  const asked = page.getByRole("dialog", { name: "Not everything is saved" });
  await page.getByRole("link", { name: "Activity" }).click();
  await asked.getByText("changed under Parameters and Who may connect is lost").waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  await asked.waitFor({ state: "detached" });
  await page.getByText("1 change", { exact: true }).waitFor();

  await sections.getByRole("link", { name: "Who may connect not saved" }).click();
  await page.getByRole("button", { name: /^Save . ranges$/ }).click();
  await sections.getByRole("link", { name: "Who may connect", exact: true }).waitFor();
  expect((await site.client().getAllowList(id)).cidrs).toContain("192.0.2.0/24");
  await page.getByRole("link", { name: "Activity" }).click();
  await asked.getByText("changed under Parameters is lost").waitFor();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Size" }).waitFor();
  expect(await page.getByText("not saved").count()).toBe(0);
});

test("closing the tab asks too, while something is not saved", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await visitor.go(`/services/${id}/settings`);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("changed, perhaps");
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  await name.waitFor();
  expect(await name.inputValue()).toBe("changed");
  await page.reload();
  expect(asked).toHaveLength(1);
});

test("a password that was made here is not left behind by mistake", async () => {
  const visitor = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { page } = visitor;
  await visitor.go(`/services/${id}/settings#password`);
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("button", { name: "Set the new password" }).click();
  await page.getByRole("heading", { name: "The new password is in force" }).waitFor();
  const sections = page.getByRole("navigation", { name: "Settings" });
  await sections.getByRole("link", { name: "Size" }).click();
  await page.getByRole("dialog", { name: "The password was not copied" }).waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("button", { name: "Hide it" }).click();
  await sections.getByRole("link", { name: "Size" }).click();
  await page.getByRole("radio", { name: /the size it has/ }).waitFor();
});
