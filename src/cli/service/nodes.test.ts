/** Who leads and who follows, as people read it. */
import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { catchingUp, primary, replica, standing } from "../../../test/support/observations.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { desiredService } from "../../../test/support/services.ts";

const api = await openTestApi();
const cli = await openTestCli(api);
const AT = new Date("2026-11-21T09:30:04.000Z");

test("nodes shows who leads, who follows and how far behind", async () => {
  const { id } = await readyService(api, { name: "orders", replica_count: 2 });
  const observed = standing(desiredService(), [primary(0), replica(1, "sync"), catchingUp(2)]);
  await pass(api, id, { observation: { at: AT, observed } });
  const { exitCode, stdout } = await cli.run(["nodes", "orders"]);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "NODE      STATE    ROLE     FOLLOWS      BEHIND  CPU  MEMORY",
    "member-0  running  primary                       500  2 GiB",
    "member-1  running  replica  synchronous  0 B     500  2 GiB",
    "member-2  running  replica               4 KiB   500  2 GiB",
    "",
    "Seen  2026-11-21T09:30:04.000Z",
    "",
  ]);
});

test("nodes says so where nothing was seen yet", async () => {
  await cli.client.createService({ name: "new" });
  expect((await cli.run(["nodes", "new"])).stdout).toBe("Nothing was seen of the service yet.\n");
});
