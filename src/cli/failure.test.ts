import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { ClientError } from "../client/index.ts";
import { ERRORS, errorCodes } from "../contract/errors.ts";
import { CommandFailed, describeFailure, UsageError } from "./failure.ts";

const codeOf = (error: unknown) => describeFailure(error).exitCode;

test.each([
  ["INVALID_REQUEST", 2],
  ["UNAUTHORIZED", 3],
  ["FORBIDDEN", 3],
  ["NOT_FOUND", 4],
  ["CONFLICT", 5],
  ["DELETION_PROTECTED", 5],
  ["NO_CAPACITY", 5],
  ["TOO_MANY_REQUESTS", 6],
  ["UNAVAILABLE", 6],
  ["UNREACHABLE", 6],
  ["TIMEOUT", 6],
  ["INTERNAL", 1],
])("%s ends with %i", (code, exitCode) => {
  expect(codeOf(new ClientError(code, "no"))).toBe(exitCode);
});

test("every error of the API ends with something else than success", () => {
  for (const code of errorCodes())
    expect(codeOf(new ClientError(code, "no", { status: ERRORS[code].status }))).toBeGreaterThan(0);
});

test.each([
  [401, 3],
  [404, 4],
  [409, 5],
  [502, 6],
  [418, 1],
])("a code that nobody knows goes by its status %i", (status, exitCode) => {
  for (const code of ["INVENTED", "UNEXPECTED_ANSWER"])
    expect(codeOf(new ClientError(code, "no", { status }))).toBe(exitCode);
});

test("an error tells what the API says, and what helps here", () => {
  expect(describeFailure(new ClientError("NO_CAPACITY", "no room", { details: "500/2 fits" })).text).toBe(
    "no room\n500/2 fits",
  );
  expect(describeFailure(new ClientError("UNREACHABLE", "cannot reach it")).text).toContain("npm start");
  expect(describeFailure(new ClientError("INTERNAL", "broken", { requestId: "abc" })).text).toContain("abc");
});

test("what commander has said is not said again", () => {
  expect(describeFailure(new CommanderError(1, "commander.unknownOption", "unknown option"))).toEqual({
    exitCode: 2,
    text: null,
  });
  expect(describeFailure(new CommanderError(0, "commander.helpDisplayed", ""))).toEqual({
    exitCode: 0,
    text: null,
  });
});

test("a mistake of who typed is told in words, a mistake of ours with its place", () => {
  expect(describeFailure(new UsageError("Say which."))).toEqual({ exitCode: 2, text: "Say which." });
  expect(describeFailure(new CommandFailed(7, "Too late."))).toEqual({ exitCode: 7, text: "Too late." });
  const defect = describeFailure(new TypeError("x is not a function"));
  expect(defect.exitCode).toBe(1);
  expect(defect.text).toContain("failure.test.ts");
});
