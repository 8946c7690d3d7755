/** `npm run check`: everything that can be known about the code without a container engine. */
import { createProgress } from "../src/setup/progress.ts";
import { runTool } from "./run.ts";

/** Each says nothing where all is well, or tells in its output what is wrong and where. */
const CHECKS = [
  { title: "Types", tool: "tsc", args: ["--project", "."] },
  { title: "Types of the console", tool: "tsc", args: ["--project", "console"] },
  { title: "Format", tool: "biome", args: ["ci", "."] },
  { title: "Lint", tool: "oxlint", args: ["--type-aware", "--deny-warnings"] },
  {
    title: "Import direction",
    tool: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "src", "console", "test", "scripts", "bench", "chaos"],
  },
  { title: "Unused code", tool: "knip", args: [] },
  { title: "Unit tests", tool: "vitest", args: ["run", "--project", "unit"] },
] as const;

class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

const color = process.env["NO_COLOR"] === undefined && process.stdout.isTTY;
const progress = createProgress({ output: process.stdout, color });
const failures: string[] = [];

// All of them, even after one has failed: a person who mends one thing wants to know of the others.
for (const { title, tool, args } of CHECKS) {
  try {
    await progress.step(title, async () => {
      const { exitCode, output } = await runTool(tool, args, {
        env: color ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" },
      });
      if (exitCode > 128) process.exit(exitCode);
      if (exitCode !== 0) throw new CheckFailed(output.trim());
    });
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    failures.push(title);
    process.stdout.write(`\n${error.message}\n\n`);
  }
}

process.stdout.write(
  failures.length === 0 ? "\nEverything is in order.\n" : `\nTo be mended: ${failures.join(", ")}.\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
