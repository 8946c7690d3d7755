import { expect, test } from "vitest";
import { consoleUrl } from "./console-url.ts";

test.each([
  ["http://127.0.0.1:8420/api/v1", "http://127.0.0.1:8420/"],
  ["https://db.example.com/howdah/api/v1/", "https://db.example.com/howdah/"],
  ["https://api.example.com/v1", "https://api.example.com/"],
  ["https://api.example.com/elsewhere", "https://api.example.com/elsewhere/"],
])("beside the API at %s, the console is at %s", (apiUrl, expected) => {
  expect(consoleUrl(apiUrl, null)).toBe(expected);
  expect(consoleUrl(apiUrl, "t0ken")).toBe(`${expected}#/sign-in/t0ken`);
});
