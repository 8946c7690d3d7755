import { expect, test } from "vitest";
import { testProgram } from "../../../test/support/cli.ts";
import { serviceWords } from "./service-words.ts";
import { suggest } from "./suggest.ts";

const program = testProgram();
const valuesOf = (...words: string[]) => suggest(program, words).values.map(({ value }) => value);

test("the first word is a command, and hidden ones are not told", () => {
  expect(valuesOf("")).toEqual(expect.arrayContaining(["start", "service", "completion", "help"]));
  expect(valuesOf("")).not.toContain("complete");
  expect(valuesOf("se")).toEqual(["service"]);
});

test("a command has its own commands, and options with what they are for", () => {
  expect(valuesOf("service", "re")).toEqual(["resize", "rename"]);
  expect(suggest(program, ["service", "resize", "orders", "--c"]).values).toEqual([
    { value: "--cpu", description: expect.stringContaining("core") },
  ]);
});

test("an option's choices come after it, however the shell parts the words", () => {
  expect(valuesOf("service", "list", "-o", "")).toEqual(["table", "json"]);
  expect(valuesOf("service", "list", "--output", "j")).toEqual(["json"]);
  expect(valuesOf("service", "list", "--output=j")).toEqual(["--output=json"]);
  expect(valuesOf("service", "list", "--output", "=", "j")).toEqual(["json"]);
  expect(valuesOf("service", "list", "--output", "=")).toEqual(["table", "json"]);
});

test("services are wanted where one can be named, and nowhere else", () => {
  const wanted = (...words: string[]) => suggest(program, words).services;
  expect(wanted("service", "get", "")).toBe(true);
  expect(wanted("service", "resize", "--cpu", "1000", "ord")).toBe(true);
  expect(wanted("service", "get", "orders", "")).toBe(false);
  expect(wanted("service", "get", "-")).toBe(false);
  expect(wanted("service", "create", "")).toBe(false);
  expect(wanted("service", "connect", "orders", "--", "")).toBe(false);
});

test("an argument's choices come at its place", () => {
  expect(valuesOf("service", "pooler", "orders", "")).toEqual(["on", "off"]);
  expect(valuesOf("completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("a value that is free to choose is left to the shell", () => {
  expect(suggest(program, ["service", "password", "orders", "--password-file", ""])).toEqual({
    values: [],
    services: false,
  });
});

const record = (service_id: string, name: string) => ({
  service_id,
  name,
  project_id: "p7d2m4n8zz",
  region_code: "local",
  service_type: "POSTGRES",
  created: "2026-06-01T00:00:00Z",
  status: "READY",
  resources: [],
});

test("a service is completed by its name, or by its id where the name is not unique or not plain", () => {
  const services = [
    record("aaaaaaaaaa", "orders"),
    record("bbbbbbbbbb", "twin"),
    record("cccccccccc", "twin"),
    record("dddddddddd", "$(reboot)"),
    record("eeeeeeeeee", "two\twords\n"),
  ];
  expect(serviceWords(services, "")).toEqual([
    { value: "orders", description: "READY" },
    { value: "bbbbbbbbbb", description: "twin, READY" },
    { value: "cccccccccc", description: "twin, READY" },
    { value: "dddddddddd", description: "$(reboot), READY" },
    { value: "eeeeeeeeee", description: "two words, READY" },
  ]);
  expect(serviceWords(services, "or").map(({ value }) => value)).toEqual(["orders"]);
});
