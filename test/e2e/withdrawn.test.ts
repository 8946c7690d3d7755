/** A size with which PostgreSQL does not start, on real containers. The API refuses such a one; other causes it cannot know. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDockerPlatform, type TestPlatform } from "../support/docker-platform.ts";
import { type DrivenService, driveService } from "../support/driven-service.ts";

/** No machine has it, and the engine gives it all the same. */
const FAR_TOO_LARGE = { kind: "dedicated", cpuMillis: 1000, memoryGbs: 16_384 } as const;

let world: TestPlatform;
let orders: DrivenService;

beforeAll(async () => {
  world = await openDockerPlatform("withdrawn");
  orders = await driveService(world, { serviceId: "withdrawn1" });
  await orders.settle();
});

afterAll(async () => {
  await world?.dispose();
});

test("is taken back by itself, and the service runs as before, with its data", async () => {
  const client = await orders.connect();
  await client.query("create table kept as select 42 as answer");
  await client.end();
  orders.change({ size: FAR_TOO_LARGE });
  const looks = new Set<string>();
  const observed = await orders.settle(({ assessment }) => looks.add(assessment.status));
  expect(looks).toContain("UPGRADING");
  expect(observed.members).toMatchObject([{ limits: { memoryBytes: 2 * 1024 ** 3 } }]);
  expect(await orders.sql("show shared_buffers")).toBe("512MB");
  const again = await orders.connect();
  expect((await again.query("select answer from kept")).rows).toEqual([{ answer: 42 }]);
  await again.end();
});
