import { tmpdir } from "node:os";
import { type Browser, chromium, type Page } from "playwright-core";
import { ensureChromium } from "../../test/support/chromium.ts";
import { type ControlPlane, startControlPlane } from "../lib/control-plane.ts";
import { framesOf } from "../lib/frames.ts";
import { createManyServices, untilAllReady } from "../lib/many-services.ts";
import type { Bench, Measurement, Samples } from "../lib/measurement.ts";

const SERVICES = 1_000;
/** Of one run; at 60 a second, two seconds. */
const FRAMES = 120;
/** A flick of a finger: a screenful in eight frames. */
const SCROLL_PX = 120;
const RENAME_EVERY_MS = 100;
const ACTION_DEADLINE_MS = 30_000;
const SCREEN = { width: 1440, height: 900 };
/** As the tests' browser: it asks nobody but the server, and root has no sandbox. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"];

const STILL = { title: "a frame of the same page, standing still", series: "still" };

/** On simulated databases: a browser is told the same of them. */
export const consoleList: Measurement = {
  name: "console",
  title: `The console's list of ${SERVICES} services, in Chromium`,
  rows: [
    {
      title: "key entered → the list is there",
      series: "shown",
      unit: "ms",
      baseline: { title: "GET of the list by the same page", series: "fetched" },
    },
    { title: `a frame, scrolling ${SCROLL_PX} px each`, series: "scrolling", unit: "ms", baseline: STILL },
    { title: "a frame while ten services a second are renamed", series: "told", unit: "ms", baseline: STILL },
    { title: "tasks over 50 ms in a run of both", series: "long", unit: "count" },
  ],
  run: async (bench, samples) => {
    const controlPlane = await startControlPlane(bench.runId, bench.signal, "simulated");
    let browser: Browser | null = null;
    try {
      const ids = await createManyServices(bench, controlPlane, SERVICES);
      await untilAllReady(bench, controlPlane);
      const executablePath = await ensureChromium(tmpdir(), bench.report);
      browser = await chromium.launch({ executablePath, args: ARGUMENTS });
      for (let run = 1; run <= bench.runs; run += 1) {
        bench.signal.throwIfAborted();
        bench.report(`run ${run} of ${bench.runs}`);
        const context = await browser.newContext({ viewport: SCREEN });
        context.setDefaultTimeout(ACTION_DEADLINE_MS);
        await look(await context.newPage(), controlPlane, ids, { bench, samples });
        await context.close();
      }
    } finally {
      await browser?.close();
      await controlPlane.stop();
    }
  },
};

/** Signs in and looks at the list: at rest, scrolling, and while others rename what it shows. */
async function look(
  page: Page,
  { api, origin }: ControlPlane,
  ids: readonly string[],
  { bench, samples }: { readonly bench: Bench; readonly samples: Samples },
): Promise<void> {
  await page.goto(origin);
  await page.getByLabel(/^API key/).fill(api.apiKey);
  const enteredAt = performance.now();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page
    .getByRole("link", { name: /^(listed|renamed) \d+$/ })
    .first()
    .waitFor();
  samples.add("shown", performance.now() - enteredAt);
  samples.add("fetched", await fetchList(page, api.servicesUrl, api.authorization));

  const still = await framesOf(page, FRAMES, 0);
  for (const ms of still.ms) samples.add("still", ms);
  const scrolling = await framesOf(page, FRAMES, SCROLL_PX);
  for (const ms of scrolling.ms) samples.add("scrolling", ms);

  const renaming = new AbortController();
  const renamed = rename(api, ids, AbortSignal.any([renaming.signal, bench.signal]));
  const told = await framesOf(page, FRAMES, 0);
  renaming.abort();
  await renamed;
  for (const ms of told.ms) samples.add("told", ms);
  samples.add("long", scrolling.longTasks + told.longTasks);
}

/** Milliseconds to the last byte, as the page counts them. */
async function fetchList(
  page: Page,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const arguments_ = [url, { headers }].map((each) => JSON.stringify(each)).join(", ");
  return Number(
    await page.evaluate(`(async () => {
      const sentAt = performance.now();
      await (await fetch(${arguments_})).arrayBuffer();
      return performance.now() - sentAt;
    })()`),
  );
}

/** Those at the top of the list, which are in sight, one after the other. */
async function rename(api: ControlPlane["api"], ids: readonly string[], signal: AbortSignal): Promise<void> {
  const inSight = ids.slice(-10);
  for (let count = 0; !signal.aborted; count += 1) {
    await api.rename(inSight[count % inSight.length] ?? "", `renamed ${count}`);
    await new Promise((resolve) => setTimeout(resolve, RENAME_EVERY_MS));
  }
}
