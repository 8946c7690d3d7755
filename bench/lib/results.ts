import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { machineName } from "./machine.ts";
import { type Report, renderMarkdown } from "./report.ts";

const FOLDER = path.join(import.meta.dirname, "../results");
const MAX_RESULTS_A_DAY = 100;

/** Writes the .json and the .md of a run beside those of earlier ones, and returns the path of the .md. */
export async function writeResults(report: Report): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const name = `${report.startedAt.slice(0, 10)}-${machineName(report.machine)}`;
  for (let number = 1; number <= MAX_RESULTS_A_DAY; number += 1) {
    const file = path.join(FOLDER, number === 1 ? name : `${name}-${number}`);
    try {
      await writeFile(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`, { flag: "wx" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw error;
    }
    await writeFile(`${file}.md`, renderMarkdown(report));
    return `${file}.md`;
  }
  throw new Error(`${FOLDER} has ${MAX_RESULTS_A_DAY} results of today already`);
}
