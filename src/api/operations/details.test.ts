/** What is changed of a service beside its shape: its name, its tag, its protection. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { listEvents } from "../../store/events.ts";
import { getService } from "../../store/services.ts";

const api = await openTestApi();

describe("a new name", () => {
  test("is in the record at once; the databases are left alone", async () => {
    const { id, path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/rename`, { name: "Bestellungen ✓" });
    expect(answer.statusCode).toBe(200);
    expect(strictErrors(Service, answer.json())).toEqual([]);
    expect(answer.json()).toMatchObject({ name: "Bestellungen ✓", status: "READY" });
    expect((await api.ask("GET", path)).json()).toEqual(answer.json());
    expect((await getService(api.store.db, api.projectId, id))?.generation).toBe(1);
    expect((await listEvents(api.store.db, id, { limit: 1 }))[0]).toMatchObject({ type: "service.renamed" });
  });

  test.each([[{}], [{ name: "" }], [{ name: "x".repeat(129) }], [{ name: 1 }], [{ name: "a", more: 1 }]])(
    "as %j is refused",
    async (body) => {
      const { path } = await readyService(api);
      expect((await api.ask("POST", `${path}/rename`, body)).statusCode).toBe(400);
    },
  );
});

describe("the environment", () => {
  test("is set at once, and told in a sentence", async () => {
    const { path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/setEnvironment`, { environment: "PROD" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ message: "The environment is PROD." });
    expect((await api.ask("GET", path)).json()).toMatchObject({ metadata: { environment: "PROD" } });
  });

  test("that is none is refused with those there are", async () => {
    const { path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/setEnvironment`, { environment: "STAGING" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ message: "environment must be one of DEV, PROD" });
  });
});

describe("protection against deletion", () => {
  const protect = (path: string, on: boolean) =>
    api.ask("PUT", `${path}/deletionProtection`, { deletion_protection: on });

  test("is off unless it is switched on", async () => {
    const { path } = await readyService(api);
    expect((await api.ask("GET", `${path}/deletionProtection`)).json()).toEqual({
      deletion_protection: false,
    });
    expect((await protect(path, true)).json()).toEqual({ deletion_protection: true });
    expect((await api.ask("GET", `${path}/deletionProtection`)).json()).toEqual({
      deletion_protection: true,
    });
  });

  test("refuses a deletion with 409, says how to lift it, and lets go once it is lifted", async () => {
    const { path } = await readyService(api);
    await protect(path, true);
    const refused = await api.ask("DELETE", path);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      code: "DELETION_PROTECTED",
      message: "the service is protected against deletion",
      details: expect.stringContaining("/deletionProtection"),
    });
    expect((await api.ask("GET", path)).json()).toMatchObject({ status: "READY" });
    await protect(path, false);
    expect((await api.ask("DELETE", path)).statusCode).toBe(202);
  });
});

const CHANGES = [
  ["POST", "rename", { name: "other" }],
  ["POST", "setEnvironment", { environment: "PROD" }],
  ["PUT", "deletionProtection", { deletion_protection: true }],
] as const;

test.each(CHANGES)(
  "%s %s needs a service that is there and stays, and a key that may write",
  async (method, word, body) => {
    const { path } = await readyService(api);
    const reader = await api.newKey("read_only");
    expect((await api.ask(method, `${path}/${word}`, body, reader.apiKey)).statusCode).toBe(403);
    expect((await api.ask(method, `${api.services}/nonesuch00/${word}`, body)).statusCode).toBe(404);
    await api.ask("DELETE", path);
    expect((await api.ask(method, `${path}/${word}`, body)).statusCode).toBe(409);
  },
);
