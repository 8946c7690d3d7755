/** The browser that the tests of the console are driven in: the machine's own, or Debian's Chromium. */
import path from "node:path";
import { installPackages } from "../../src/setup/apt-packages.ts";
import { mayInstallPackages } from "../../src/setup/docker-package.ts";
import type { Report } from "../../src/setup/progress.ts";
import { findProgram } from "../../src/setup/run-command.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where it is. Throws where there is none and this user may not install it. */
export async function ensureChromium(logFolder: string, report: Report): Promise<string> {
  for (const name of NAMES) {
    const found = await findProgram(name);
    if (found !== undefined) return found;
  }
  if (!(await mayInstallPackages()))
    throw new Error("The console's tests need Chromium:\n  sudo apt-get install chromium");
  await installPackages(["chromium"], path.join(logFolder, "install-chromium.log"), report);
  const installed = await findProgram("chromium");
  if (installed === undefined) throw new Error("Chromium was installed, and is not there");
  return installed;
}
