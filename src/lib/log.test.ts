import { expect, test } from "vitest";
import { logTo } from "./log.ts";

function written(write: (log: ReturnType<typeof logTo>) => void, level = "info"): string {
  const lines: string[] = [];
  write(logTo({ write: (line) => lines.push(line) }, level));
  return lines.join("");
}

test("a line is JSON with its level by name and a time", () => {
  const line: unknown = JSON.parse(written((log) => log.info({ service: "abc" }, "hello")));
  expect(line).toMatchObject({ level: "info", service: "abc", msg: "hello" });
  expect(line).toHaveProperty("time");
});

test("secrets are replaced, however deep they stand", () => {
  const text = written((log) =>
    log.info({
      password: "hunter2",
      request: { headers: { authorization: "Bearer hunter2" } },
      body: { initial_password: "hunter2" },
    }),
  );
  expect(text).not.toContain("hunter2");
  expect(text.match(/\[redacted\]/g)).toHaveLength(3);
});

test("the password in a URL is replaced inside an error's text too", () => {
  const text = written((log) =>
    log.error(new Error("cannot reach postgres://howdah:hunter2@127.0.0.1:5432/howdah")),
  );
  expect(text).not.toContain("hunter2");
  expect(text).toContain("postgres://howdah:[redacted]@127.0.0.1");
});

test("what is below the level is not written", () => {
  expect(written((log) => log.debug("noise"))).toBe("");
});

test("an error is told by its name, words and code, without the constants of its class", () => {
  const text = written((log) => log.warn({ err: AbortSignal.abort().reason }, "it broke"));
  expect(JSON.parse(text).err).toMatchObject({ type: "DOMException", name: "AbortError", code: 20 });
  expect(text).not.toContain("INDEX_SIZE_ERR");
});
