import { expect, test } from "vitest";
import { exitCodeOf } from "./run-in.ts";

test("how a program ended is told once the engine knows, also where its output ended before that", async () => {
  const looks = [
    { Running: true, ExitCode: null },
    { Running: true, ExitCode: null },
    { Running: false, ExitCode: 3 },
  ];
  const inspect = async () => looks.shift() ?? { Running: false, ExitCode: null };
  expect(await exitCodeOf({ inspect }, new AbortController().signal)).toBe(3);
});
