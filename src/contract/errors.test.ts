import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ERRORS } from "./errors.ts";

const page = await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8");
const rows = new Map(
  page.split("\n").flatMap((line) => {
    const [code, status, meaning, remedy] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return code?.startsWith("`") ? [[code.slice(1, -1), { status, meaning, remedy }] as const] : [];
  }),
);

test.each(Object.entries(ERRORS))(
  "%s stands on the page of errors, as it is and with what to do",
  (code, { status, title }) => {
    expect(rows.get(code)).toEqual({
      status: String(status),
      meaning: title,
      remedy: expect.stringMatching(/\w/),
    });
  },
);

test("the page tells of no error that there is not", () => {
  expect([...rows.keys()]).toEqual(Object.keys(ERRORS));
});
