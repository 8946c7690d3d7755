/** Every page of the console, over simulated databases, for every eye. */
import { beforeAll, expect, test } from "vitest";
import { openBrowser, type Theme, type Visitor } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

const THEMES: readonly Theme[] = ["light", "dark"];
const WIDTHS = [390, 1024, 1600];
const LOOKS = THEMES.flatMap((theme) => WIDTHS.map((width) => [theme, width] as const));
const LONG_NAME = "a service whose name is as long as somebody found useful, and then some more words";

/** Where a page is, and what is there once it has loaded. */
interface Place {
  readonly name: string;
  readonly route: string;
  readonly shows: string;
}

let places: readonly Place[];

beforeAll(async () => {
  const client = site.client();
  const { service_id: id } = await client.createService({ name: "orders", replica_count: 2 });
  await client.setHa(id, { sync_replica_count: 1 });
  const { service_id: stopped } = await client.createService({ name: "analytics", addons: ["ai"] });
  await client.createService({ name: LONG_NAME, addons: [], environment_tag: "PROD" });
  await client.waitFor(id, "READY", { deadlineMs: 120_000 });
  await client.enablePooler(id);
  const { id: set } = await client.createReadReplicaSet(id, {
    name: "reports",
    nodes: 2,
    cpu_millis: 500,
    memory_gbs: 2,
  });
  await client.waitFor(stopped, "READY", { deadlineMs: 120_000 });
  await client.stopService(stopped);
  const [region] = await client.listRegions();
  await client.createVpc({ name: "backend", cidr: "10.50.0.0/24", region_code: region?.code ?? "" });
  await client.createWebhook({ url: "https://hooks.example.com/in", event_types: ["service.status"] });
  const settings = (section: string, shows: string) => ({
    name: `settings-${section}`,
    route: `/services/${id}/settings#${section}`,
    shows,
  });
  places = [
    { name: "services", route: "/services", shows: "3 services" },
    { name: "create", route: "/create", shows: "What will happen" },
    { name: "overview", route: `/services/${id}`, shows: "member-0 leads. 2 replicas follow." },
    { name: "overview-stopped", route: `/services/${stopped}`, shows: "Topology" },
    { name: "overview-of-a-set", route: `/services/${set}`, shows: "reports" },
    { name: "nobody", route: "/services/n0b0dy0000", shows: "There is no such service" },
    { name: "not-found", route: "/somewhere", shows: "There is nothing here" },
    { name: "metrics", route: `/services/${id}/metrics`, shows: "What it uses" },
    {
      name: "logs",
      route: `/services/${id}/logs`,
      shows: "the region simulated runs no servers that write a log",
    },
    { name: "events", route: `/services/${id}/events`, shows: "Lead and members" },
    { name: "query", route: `/services/${id}/query`, shows: "Connect to orders" },
    settings("general", "Environment"),
    settings("password", "New password"),
    settings("size", "Now"),
    settings("replicas", "How many replicas"),
    settings("pooler", "What a client gets"),
    settings("parameters", "max_connections"),
    settings("access", "0.0.0.0/0"),
    settings("read-replica-sets", "reports"),
    settings("vpc", "VPC"),
    settings("danger", "Deletion protection"),
    { name: "activity", route: "/activity", shows: "The service was stopped." },
    { name: "vpcs", route: "/vpcs", shows: "backend" },
    { name: "webhooks", route: "/webhooks", shows: "https://hooks.example.com/in" },
    { name: "audit", route: "/audit", shows: "Create webhook" },
    { name: "operator", route: "/operator", shows: "Region simulated" },
  ];
});

test.each(LOOKS)(
  "in the %s theme and %d pixels wide, every page is accessible and fits",
  async (theme, width) => {
    // Simulated databases have no logs, and run no SQL.
    const expectedErrors = /status of 40[04]/;
    const visitor = await browser.visit({
      at: site.at(),
      apiKey: site.apiKey(),
      theme,
      width,
      expectedErrors,
    });
    const found: string[] = [];
    for (const { name, route, shows } of places) {
      await visitor.go(route);
      await visitor.page.getByText(shows).filter({ visible: true }).first().waitFor();
      found.push(...(await faultsOf(visitor, name)));
    }
    expect(found).toEqual([]);
  },
  900_000,
);

test.each(LOOKS)(
  "in the %s theme and %d pixels wide, so is each page on a newcomer's way to a first service",
  async (theme, width) => {
    const apiKey = await site.newKey("admin", `newcomers ${theme} ${width}`);
    const visitor = await browser.visit({ at: site.at(), theme, width });
    const { page } = visitor;
    await visitor.go("/services");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    const found = [...(await faultsOf(visitor, "sign-in"))];
    await visitor.signIn(apiKey);
    await page
      .getByRole("link", { name: /^Create/ })
      .filter({ visible: true })
      .first()
      .waitFor();
    found.push(...(await faultsOf(visitor, "services-empty")));
    await visitor.go("/create");
    await page.getByRole("textbox", { name: "Name" }).fill("first");
    await page.getByRole("button", { name: "Create the service" }).click();
    await page.getByText("It takes connections now.").waitFor();
    found.push(...(await faultsOf(visitor, "created")));
    expect(found).toEqual([]);
  },
  300_000,
);

/** Looks at the page once it has come to rest, and says what nobody should have to live with. */
async function faultsOf(visitor: Visitor, name: string): Promise<readonly string[]> {
  await settled(visitor);
  await visitor.screenshot(name);
  const tooWide = await visitor.page.evaluate("document.documentElement.scrollWidth > innerWidth");
  const found = (await visitor.accessibility()).map((line) => `${name}: ${line}`);
  return tooWide ? [`${name}: wider than the screen`, ...found] : found;
}

/** Nothing on the screen is being waited for, and nothing moves. */
async function settled({ page }: Visitor): Promise<void> {
  const restless = `[
    ...document.querySelectorAll(".mantine-Skeleton-root, .mantine-Loader-root"),
    ...document.getAnimations().filter(({ playState }) => playState === "running").map(({ effect }) => effect.target),
  ].filter((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }).length`;
  await expect.poll(() => page.evaluate(restless)).toBe(0);
}
