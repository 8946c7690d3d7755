/** Who may do what in the console, and how many services it takes without effort; over simulated databases. */
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

/** Of a service's settings, by what their first panel is called. */
const SECTIONS = {
  general: "Name",
  size: "Size",
  replicas: "Replicas",
  pooler: "Connection pooler",
  password: "Password",
  parameters: "Parameters",
  access: "Who may connect",
  danger: "Danger zone",
};

test("a link signs in once, and its key ends with the session", async () => {
  const { token } = await site.client().createSignInLink();
  const { page } = await browser.visit({ at: site.at(), expectedErrors: /status of 401/ });
  await page.goto(`${site.at()}#/sign-in/${token}`);
  await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
  expect(page.url()).not.toContain(token);
  await page.getByRole("button", { name: /Project/ }).click();
  await page
    .getByRole("menuitem", { name: /^Sign out/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();

  const other = await browser.visit({ at: site.at(), expectedErrors: /status of 401/ });
  await other.page.goto(`${site.at()}#/sign-in/${token}`);
  await other.page.getByText(/was used or has expired/).waitFor();
});

test("two projects are signed in to, and neither sees the other's services", async () => {
  const { service_id: id } = await site.client().createService({ name: "of the first project" });
  const { page, signIn } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  await page.getByRole("link", { name: "of the first project" }).waitFor();
  await page.getByRole("button", { name: /Project/ }).click();
  await page.getByRole("menuitem", { name: "Add a project" }).click();
  await signIn(await site.newKey("admin", "second"));
  await page.getByRole("button", { name: /Project second/ }).waitFor();
  await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
  expect(await page.getByRole("link", { name: "of the first project" }).count()).toBe(0);
  await page.getByRole("button", { name: /Project second/ }).click();
  await page.getByRole("menuitem", { name: "default" }).click();
  await page.getByRole("link", { name: "of the first project" }).waitFor();
  await site.client().deleteService(id);
});

test("a key that may only read sees everything and can do nothing", async () => {
  const client = site.client();
  const { service_id: id } = await client.createService({ name: "looked at" });
  await client.waitFor(id, "READY", { deadlineMs: 120_000 });
  const { page, go } = await browser.visit({
    at: site.at(),
    apiKey: await site.newKey("read_only"),
    expectedErrors: /status of 403/,
  });
  const writes: string[] = [];
  page.on("request", (request) => {
    if (!["GET", "HEAD"].includes(request.method()) && !request.url().endsWith("/series"))
      writes.push(`${request.method()} ${request.url()}`);
  });
  await go(`/services/${id}`);
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await stop.hover();
  await page.getByText("This API key may only read.").waitFor();
  await stop.click({ force: true });
  for (const [section, heading] of Object.entries(SECTIONS)) {
    await go(`/services/${id}/settings#${section}`);
    await page.getByRole("heading", { name: heading, level: 2, exact: true }).waitFor();
    const usable = await page
      .locator("main section :is(button, input):enabled:not([aria-disabled=true], [readonly], [type=search])")
      .evaluateAll((all) =>
        all.map((each) => {
          const named = each.closest("[role=radiogroup]") ?? each;
          return named.getAttribute("aria-label") ?? each.textContent;
        }),
      );
    expect(usable.filter((name) => !/^(Copy|Show|Search|Which)/.test(name ?? ""))).toEqual([]);
  }
  await go("/create");
  await page.getByRole("button", { name: "Create the service" }).click({ force: true });
  await go("/audit");
  await page.getByText(/role/).first().waitFor();
  expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
  expect(writes).toEqual([]);
  expect((await client.getService(id)).status).toBe("READY");
});

test("a thousand services are a list of which a screenful exists, and one that changes is one row that changes", async () => {
  const client = site.client();
  const names = Array.from({ length: 1_000 }, (_, index) => `service ${index}`);
  await inBatches(names, 20, (name) =>
    client.createService({ name, cpu_millis: "shared", memory_gbs: "shared" }),
  );
  const unsettled = async () =>
    (await client.listServices()).filter(({ status }) => status !== "READY").length;
  await expect.poll(unsettled, { timeout: 400_000, interval: 500 }).toBe(0);
  const { page, signIn } = await browser.visit({ at: site.at() });
  // New numbers would change rows as well.
  await page.route("**/metrics/series", (route) => route.fulfill({ json: [] }));
  await page.goto(site.at());
  await signIn(site.apiKey());
  const rows = page.getByRole("main").getByRole("link", { name: /^service \d+$/ });
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(60);

  await page.getByRole("searchbox").fill("service 777");
  await page.getByRole("link", { name: "service 777", exact: true }).waitFor();
  await page.getByRole("searchbox").fill("");
  await page.keyboard.press("Escape");
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  const top = await rows.allInnerTexts();
  const afterScrolling = async () => {
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    const texts = await rows.allInnerTexts();
    return texts.filter((text) => top.includes(text));
  };
  await expect.poll(afterScrolling).toEqual([]);
  // The list has come to rest where two looks find the same.
  let shownBefore: readonly string[] = [];
  const isAtRest = async () => {
    const before = shownBefore;
    shownBefore = await rows.allInnerTexts();
    return shownBefore.length > 5 && shownBefore.join() === before.join();
  };
  await expect.poll(isAtRest).toBe(true);
  expect(shownBefore.length).toBeLessThan(60);

  const shown = shownBefore[5] ?? "";
  const changed = (await client.listServices()).find(({ name }) => name === shown)?.service_id ?? "";
  await page.evaluate(
    `globalThis.touched = new Set(); new MutationObserver((found) => found.forEach(({ target }) => {
       const element = target instanceof Element ? target : target.parentElement;
       const row = element?.closest("[role=row]");
       if (row) touched.add(row.querySelector("a")?.textContent);
     })).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true })`,
  );
  await client.renameService(changed, { name: "renamed just now" });
  await page.getByRole("link", { name: "renamed just now" }).waitFor();
  expect(await page.evaluate("[...touched]")).toEqual(["renamed just now"]);
}, 900_000);

async function inBatches<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work));
}
