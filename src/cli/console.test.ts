import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { openTestCli } from "../../test/support/cli.ts";
import { injectFetch } from "../../test/support/inject-fetch.ts";
import { signIn } from "../client/index.ts";

const api = await openTestApi();
const cli = await openTestCli(api);

test("console prints a link that signs in, alone on standard output", async () => {
  const { exitCode, stdout, stderr } = await cli.runAny(["console"]);
  expect(exitCode).toBe(0);
  const [, token = ""] = /^http:\/\/api\.test\/#\/sign-in\/([\w-]{43})\n$/.exec(stdout) ?? [];
  expect(stderr).toBe("It signs in once, within 15 minutes.\n");
  const session = await signIn(token, { baseUrl: `http://api.test${BASE}`, fetch: injectFetch(api.app) });
  expect(session).toMatchObject({ role: "admin", project: { id: api.projectId } });
  const signedIn = cli.clientOf(session.api_key);
  expect((await signedIn.getAuthInfo()).api_key.role).toBe("admin");
  await signedIn.logOut();
  await expect(signedIn.getAuthInfo()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("console prints a record for programs", async () => {
  const { stdout, stderr } = await cli.runAny(["console", "-o", "json"]);
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/api\.test\/#\/sign-in\//),
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(stderr).toBe("");
});
