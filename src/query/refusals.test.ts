import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { readQueryFailure } from "../contract/query.ts";
import { loginRefusal, queryRefusal } from "./refusals.ts";

function failure(code: string, message: string, more: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, "error"), { code, ...more });
}

test.each([
  ["28P01", "DATABASE_LOGIN_REFUSED"],
  ["28000", "DATABASE_LOGIN_REFUSED"],
  ["3D000", "DATABASE_LOGIN_REFUSED"],
  ["42501", "DATABASE_LOGIN_REFUSED"],
  ["53300", "UNAVAILABLE"],
  ["57P03", "UNAVAILABLE"],
])("a login that is refused with %s is told as %s, in PostgreSQL's words", (code, expected) => {
  const refusal = loginRefusal(failure(code, "said so"));
  expect(refusal.code).toBe(expected);
  expect([refusal.message, refusal.details]).toContain("said so");
});

test("the details of a failure are read as they were written", () => {
  const told = failure("22012", "division by zero", {
    position: "41",
    hint: "add one",
    detail: "two\nlines",
  });
  const { details } = queryRefusal(told, 30, 1);
  expect(readQueryFailure(details)).toEqual({
    sqlState: "22012",
    position: 11,
    more: "DETAIL: two\nlines\nHINT: add one",
  });
  expect(readQueryFailure(queryRefusal(failure("22012", "x"), 0, 1).details)).toEqual({
    sqlState: "22012",
    position: null,
    more: "",
  });
  expect(readQueryFailure("PUT …/allowList changes it.")).toBeNull();
});

test("a connection that breaks in the middle leaves open what became of the statement", () => {
  expect(queryRefusal(new Error("Connection terminated unexpectedly"), 0, 1).message).toContain(
    "is not known",
  );
});
