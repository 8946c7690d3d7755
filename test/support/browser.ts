/** A real browser for one test file, and people who look at the console with it. */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { afterAll, afterEach } from "vitest";
import { ensureChromium } from "./chromium.ts";

export type Theme = "light" | "dark";

export interface VisitorOptions {
  readonly theme?: Theme;
  /** Pixels; the height follows. */
  readonly width?: number;
  /** Where the console is, with a slash at its end. */
  readonly at: string;
  /** Left out: nobody is signed in. */
  readonly apiKey?: string;
  /** Errors of the browser that the test itself brings about. */
  readonly expectedErrors?: RegExp;
}

export interface Visitor {
  readonly page: Page;
  /** Opens a page of the console, such as /services. */
  readonly go: (route: string) => Promise<void>;
  /** On the page that asks for it. */
  readonly signIn: (apiKey: string) => Promise<void>;
  /** What axe finds against WCAG 2.1 AA, in lines for people. */
  accessibility(): Promise<readonly string[]>;
  /** Kept as build output, for people to look at. */
  screenshot(name: string): Promise<void>;
}

export interface TestBrowser {
  visit(options: VisitorOptions): Promise<Visitor>;
}

/** What Chromium says of requests under way when the machine gets or loses a network, as it does with every service. */
const NETWORK_CHANGED = /ERR_NETWORK_CHANGED/;

/** Never asks anybody but the server under test. Root has no sandbox. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const SCREENSHOTS = path.join(import.meta.dirname, "../../build/screenshots");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const ACTION_DEADLINE_MS = 60_000;
const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

const Violations = Type.Object({
  violations: Type.Array(
    Type.Object({
      id: Type.String(),
      help: Type.String(),
      nodes: Type.Array(Type.Object({ html: Type.String() })),
    }),
  ),
});

/**
 * To be called where a test file begins. Whatever a page complains of fails the test that it came in.
 *
 * @param lasting visitors stay until the file ends, and not until their test does
 */
export function openBrowser({ lasting = false } = {}): TestBrowser {
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  let browser: Promise<Browser> | null = null;

  afterEach(async () => {
    if (!lasting) await Promise.all(contexts.splice(0).map((context) => context.close()));
    const found = complaints.splice(0);
    if (found.length > 0) throw new Error(`the browser complains:\n${found.join("\n")}`);
  });
  afterAll(async () => {
    await (await browser)?.close();
  });

  return {
    async visit({ theme = "light", width = 1280, at, apiKey, expectedErrors }) {
      browser ??= launch();
      const context = await (await browser).newContext({
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      contexts.push(context);
      context.setDefaultTimeout(ACTION_DEADLINE_MS);
      const page = await context.newPage();
      const complain = (text: string) => {
        if (![NETWORK_CHANGED, expectedErrors].some((expected) => expected?.test(text)))
          complaints.push(text);
      };
      watch(page, new URL(at).origin, complain);
      const visitor = visitorOf(page, at, `${theme}-${width}`);
      if (apiKey !== undefined) {
        await page.goto(at);
        await visitor.signIn(apiKey);
        await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
      }
      return visitor;
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = await ensureChromium(tmpdir(), () => undefined);
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

function watch(page: Page, origin: string, complain: (text: string) => void): void {
  page.on("pageerror", (error) => complain(`an error that nobody caught: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.protocol !== "blob:" && url.origin !== origin)
      complain(`a request to another host: ${url.origin}`);
  });
}

function visitorOf(page: Page, at: string, look: string): Visitor {
  return {
    page,
    async go(route) {
      await page.goto(`${at}#${route}`);
    },
    async signIn(apiKey) {
      await page.getByLabel(/^API key/).fill(apiKey);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    },
    async accessibility() {
      // The page's own policy admits no script but the server's; what the debugger evaluates is not under it.
      await page.evaluate(await readFile(AXE, "utf8"));
      const found: unknown = await page.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(STANDARDS)}, resultTypes: ["violations"] })`,
      );
      const { violations } = Value.Parse(Violations, found);
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(" ")}`,
      );
    },
    async screenshot(name) {
      await mkdir(SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${look}.png`) });
    },
  };
}
