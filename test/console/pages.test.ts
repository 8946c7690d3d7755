/** Every page of the console, over simulated databases, for every eye. */
import { beforeAll, expect, test } from "vitest";
import { openBrowser, type Theme, type Visitor } from "../support/browser.ts";
import { openSimulatedConsole } from "../support/console.ts";

const site = openSimulatedConsole();
const browser = openBrowser();

const THEMES: readonly Theme[] = ["light", "dark"];
const WIDTHS = [390, 1024, 1600];
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
  await client.createReadReplicaSet(id, { name: "reports", nodes: 2, cpu_millis: 500, memory_gbs: 2 });
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

test.each(THEMES.flatMap((theme) => WIDTHS.map((width) => [theme, width] as const)))(
  "in the %s theme and %d pixels wide, every page is accessible and fits",
  async (theme, width) => {
    // Simulated databases have no logs, and run no SQL.
    const expectedErrors = /status of 400/;
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
      await settled(visitor);
      await visitor.screenshot(name);
      const tooWide = await visitor.page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (tooWide) found.push(`${name}: wider than the screen`);
      for (const line of await visitor.accessibility()) found.push(`${name}: ${line}`);
    }
    expect(found).toEqual([]);
  },
  900_000,
);

test("whoever is signed out finds the sign-in page accessible", async () => {
  for (const theme of THEMES) {
    const visitor = await browser.visit({ at: site.at(), theme, width: 390 });
    await visitor.go("/services");
    await visitor.page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    await visitor.screenshot("sign-in");
    expect(await visitor.accessibility()).toEqual([]);
  }
});

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
