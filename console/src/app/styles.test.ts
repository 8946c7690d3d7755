import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

const SOURCES = path.join(import.meta.dirname, "..");
const STYLES = path.join(createRequire(import.meta.url).resolve("@mantine/core/styles.css"), "../styles");

const imported = [
  ...readFileSync(path.join(SOURCES, "app/styles.ts"), "utf8").matchAll(
    /@mantine\/core\/styles\/([\w-]+)\.css/g,
  ),
].map(([, name = ""]) => name);

test("every component in use has its styles", () => {
  const used = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => componentsIn(readFileSync(path.join(SOURCES, file), "utf8")));
  const styled = new Set(readdirSync(STYLES).map((file) => path.basename(file, ".css")));
  expect(used.length).toBeGreaterThan(10);
  expect([...new Set(used)].filter((name) => styled.has(name) && !imported.includes(name))).toEqual([]);
});

test("styles come in the order of the library's own sheet", () => {
  const sheet = readFileSync(path.join(STYLES, "../styles.css"), "utf8");
  const places = imported.map((name) =>
    sheet.indexOf(readFileSync(path.join(STYLES, `${name}.css`), "utf8").slice(0, 80)),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

function componentsIn(source: string): string[] {
  return [...source.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().split(" ")[0] ?? ""),
  );
}

test("the colours of moods are told in one place", () => {
  const sheets = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  const telling = sheets.filter((file) => readFileSync(path.join(SOURCES, file), "utf8").includes("--mood:"));
  expect(telling).toEqual([path.join("app", "global.css")]);
});
