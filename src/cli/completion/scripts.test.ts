import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { completionScript, SHELLS } from "./scripts.ts";

const folder = await mkdtemp(path.join(tmpdir(), "howdah it's "));
afterAll(() => rm(folder, { recursive: true }));

/** Presses Tab in bash, with a program that writes down what it was asked and answers as given. */
async function completeInBash(words: readonly string[], answer: string): Promise<string[]> {
  const program = path.join(folder, "howdah");
  const asked = path.join(folder, "asked");
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "${asked}"\ncat "${folder}/answer"\n`, {
    mode: 0o755,
  });
  await writeFile(path.join(folder, "answer"), answer);
  const script = [
    completionScript("bash", program),
    `COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _howdah; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", "howdah", ...words], {
    cwd: folder,
  });
  expect((await readFile(asked, "utf8")).split("\n").slice(0, -1)).toEqual(["complete", "--", ...words]);
  return stdout.trimEnd().split("\n");
}

test("bash asks the program for what stands before the cursor, and takes what it answers", async () => {
  expect(await completeInBash(["service", "get", ""], "orders\tREADY\nstock\tPAUSED, late\n")).toEqual([
    "orders",
    "stock",
  ]);
});

test("what stands on the line is never run, and what the program answers neither", async () => {
  const trap = "$(touch trapped)`touch trapped`";
  expect(await completeInBash(["service", "get", trap], `${trap}\t${trap}\n`)).toEqual([trap]);
  await expect(access(path.join(folder, "trapped"))).rejects.toThrow("ENOENT");
});

test.each(SHELLS)("%s is told where the program is, however its path is written", (shell) => {
  expect(completionScript(shell, "/it's/howdah")).toContain(`'/it'\\''s/howdah' complete --`);
});
