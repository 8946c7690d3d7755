import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { followEngine, readEngineMessage } from "./engine-stream.ts";

const options = { silenceMs: 1_000, deadlineMs: 1_000 };

test("the lines of builds and pulls are read alike", () => {
  expect(readEngineMessage('{"stream":"Step 1/7 : FROM x\\n"}').text).toBe("Step 1/7 : FROM x");
  expect(readEngineMessage('{"status":"Downloading","id":"ab12","progress":"3MB/9MB"}').text).toBe(
    "ab12 Downloading 3MB/9MB",
  );
  expect(readEngineMessage('{"error":"no space","errorDetail":{}}').error).toBe("no space");
  expect(readEngineMessage("not json").text).toBe("not json");
});

test("lines are whole even where the engine cuts them, and equal ones are told once", async () => {
  const told: string[] = [];
  const chunks = ['{"stream":"o', 'ne"}\n{"stream":"one"}\n{"str', 'eam":"two"}'];
  await followEngine(async () => Readable.from(chunks), { ...options, report: (line) => told.push(line) });
  expect(told).toEqual(["one", "two"]);
});

test("a failure carries the lines before it", async () => {
  const chunks = ['{"stream":"installing"}\n', '{"error":"exit code 100"}\n'];
  const followed = followEngine(async () => Readable.from(chunks), { ...options, report: () => {} });
  await expect(followed).rejects.toThrow("  installing\nexit code 100");
});

test("an engine that falls silent is given up", async () => {
  const request = async (signal: AbortSignal) => new Readable({ read() {}, signal });
  const followed = followEngine(request, { silenceMs: 20, deadlineMs: 5_000, report: () => {} });
  await expect(followed).rejects.toThrow("no progress for 0.02 s");
});
