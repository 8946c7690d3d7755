/** What holds for every page of the console, over simulated databases. */
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openSimulatedConsole, serveBehindPrefix } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

/** Compressed, fonts included. */
const FIRST_LOAD_BYTES = 300_000;

test("a key signs in for as long as the tab lives, and is kept nowhere else", async () => {
  const { page } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  await page.reload();
  await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
  const kept = await page.evaluate(
    "[localStorage, document.cookie, location.href].map((each) => JSON.stringify(each))",
  );
  expect(JSON.stringify(kept)).not.toContain(site.apiKey());

  await page.getByRole("button", { name: /^Project / }).click();
  await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto(`${site.at()}#/services`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(site.apiKey());
});

test("a key that is not known is answered in the API's own words", async () => {
  const { page, signIn } = await browser.visit({ at: site.at(), expectedErrors: /status of 401/ });
  await page.goto(site.at());
  await signIn(site.apiKey().slice(0, -4).concat("aaaa"));
  const alert = page.getByRole("alert");
  await alert.getByText("this API key is not known").waitFor();
  await alert.getByText("UNAUTHORIZED").waitFor();
});

test("a page that was asked for before signing in is there afterwards", async () => {
  const { page, signIn } = await browser.visit({ at: site.at() });
  await page.goto(`${site.at()}#/webhooks`);
  await signIn(site.apiKey());
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
});

test("an address that leads nowhere says so, and leaves the way to everything else", async () => {
  const { page, go } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  for (const address of ["/somewhere", "/services/n0b0dy0000/settings/of/nothing"]) {
    await go(address);
    await page.getByRole("heading", { name: "There is nothing here", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  }
});

test("it works behind a prefix that a proxy takes away, live events included", async () => {
  const proxy = await serveBehindPrefix(site.at(), "/cloud/databases");
  try {
    const { page } = await browser.visit({ at: proxy.at, apiKey: site.apiKey() });
    await site.client().createService({ name: "behind a prefix" });
    await page.getByText("behind a prefix").first().waitFor();
    await page.reload();
    await page.getByText("behind a prefix").first().waitFor();
    await page.close();
  } finally {
    proxy.close();
  }
});

test("the policy admits what comes from this server alone, or carries a word that is never the same", async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await fetch(site.at())).headers.get("content-security-policy") ?? ""),
  );
  for (const policy of policies) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]{22}';/);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain("unsafe");
  }
  expect(policies[0]).not.toBe(policies[1]);
});

test("the first load is small", async () => {
  const { page, signIn } = await browser.visit({ at: site.at() });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(site.at());
  await signIn(site.apiKey());
  await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});

test("the palette goes anywhere without a mouse", async () => {
  const { page } = await browser.visit({ at: site.at(), apiKey: site.apiKey() });
  const { service_id: id } = await site.client().createService({ name: "found by a few letters" });
  await page.getByText("found by a few letters").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill("few let");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "found by a few letters", level: 1 }).waitFor();
  expect(page.url()).toContain(id);
});

test("a page is there although its code was dropped on the way, as browsers do when a network comes or goes", async () => {
  const { page, go } = await browser.visit({
    at: site.at(),
    apiKey: site.apiKey(),
    expectedErrors: /ERR_FAILED/,
  });
  let dropped = 0;
  await page.route(/audit-page.*\.js/, (route) => {
    dropped += 1;
    return dropped <= 2 ? route.abort() : route.continue();
  });
  await go("/audit");
  await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  expect(dropped).toBeGreaterThan(1);
});

test("the console is there although what it begins with was dropped on the way", async () => {
  const { page, signIn } = await browser.visit({ at: site.at(), expectedErrors: /ERR_FAILED/ });
  for (const first of [/assets\/index-.*\.js/, /assets\/.*\.css/]) {
    let dropped = 0;
    await page.route(first, (route) => {
      dropped += 1;
      return dropped <= 2 ? route.abort() : route.continue();
    });
  }
  await page.goto(site.at());
  await signIn(site.apiKey());
  await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
});

test("where the console cannot be loaded at all, the page says so", async () => {
  const { page } = await browser.visit({ at: site.at(), expectedErrors: /ERR_FAILED/ });
  await page.route(/assets\/index-.*\.js/, (route) => route.abort());
  await page.goto(site.at());
  await page.getByRole("alert").getByText("The console could not be loaded.").waitFor();
});

test("the chosen theme is kept", async () => {
  const { page } = await browser.visit({ at: site.at(), apiKey: site.apiKey(), theme: "light" });
  await page.getByRole("button", { name: "Use the dark theme" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Use the light theme" }).waitFor();
});

test("it says when it is cut off, and shows what is true once the server is back", async () => {
  const { page } = await browser.visit({
    at: site.at(),
    apiKey: site.apiKey(),
    expectedErrors: /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to load resource/,
  });
  await site.installation().kill();
  await page.getByText("Not connected").waitFor();
  await site.installation().start();
  await page.getByText("Not connected").waitFor({ state: "detached", timeout: 120_000 });
  await site.client().createService({ name: "after the return" });
  await page.getByText("after the return").first().waitFor();
});
