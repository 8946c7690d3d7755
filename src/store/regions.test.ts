import { beforeEach, describe, expect, test } from "vitest";
import { draft, putService } from "../../test/support/drafts.ts";
import { openTestStore } from "../../test/support/store.ts";
import { deleteService } from "./delete-service.ts";
import { addPorts, portStock, type Room, regionsByRoom, reportRegion, takenPorts } from "./regions.ts";
import { firstShape } from "./service-row.ts";
import { type Admit, changeShape } from "./services.ts";

const opened = await openTestStore();
const { db } = opened.store;
const { projectId, regionCode } = opened;
const GIB = 1024 ** 3;

beforeEach(async () => {
  await db.deleteFrom("services").execute();
  await db.updateTable("ports").set({ service_id: null }).execute();
  await db.deleteFrom("ports").where("region_code", "!=", regionCode).execute();
  await db.deleteFrom("regions").where("code", "!=", regionCode).execute();
});

describe("what is promised", () => {
  test("counts every member, and shared ones as 250 millicores and 1 GiB", async () => {
    await putService(opened, {
      shape: { ...firstShape({ kind: "dedicated", cpuMillis: 1000, memoryGbs: 4 }), replicaCount: 2 },
    });
    await putService(opened, { shape: { ...firstShape({ kind: "shared" }), replicaCount: 1 } });
    expect(await regionsByRoom(db)).toMatchObject([
      { code: regionCode, promised: { cpuMillis: 3 * 1000 + 2 * 250, memoryBytes: (3 * 4 + 2) * GIB } },
    ]);
  });

  test("counts no service that is being deleted", async () => {
    const serviceId = await putService(opened);
    await deleteService(db, { projectId, serviceId, actor: "key:test" });
    expect(await regionsByRoom(db)).toMatchObject([{ promised: { cpuMillis: 0, memoryBytes: 0 } }]);
  });

  test("is never more than what is admitted, however many creates come at once", async () => {
    const admit = ({ promised }: Room) =>
      promised.memoryBytes + 2 * GIB > 6 * GIB ? { message: "full", details: "" } : null;
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => draft(opened, { admit })));
    expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(3);
    expect(outcomes.filter(({ kind }) => kind === "no-room")).toHaveLength(7);
  });

  test("is never more than what is admitted, however many services grow at once", async () => {
    const services = await Promise.all(Array.from({ length: 6 }, () => putService(opened)));
    const admit = ({ promised }: Room, { replicaCount }: { replicaCount: number }) =>
      promised.memoryBytes + (1 + replicaCount) * 2 * GIB > 18 * GIB
        ? { message: "full", details: "" }
        : null;
    const outcomes = await Promise.all(services.map((serviceId) => grow(serviceId, admit)));
    expect(outcomes.filter(({ kind }) => kind === "changed")).toHaveLength(3);
    expect(await regionsByRoom(db)).toMatchObject([{ promised: { memoryBytes: 18 * GIB } }]);
  });

  test("of the service itself is not in the way of its own change", async () => {
    const serviceId = await putService(opened);
    const rooms: Room[] = [];
    await grow(serviceId, (room) => {
      rooms.push(room);
      return null;
    });
    expect(rooms).toMatchObject([{ promised: { cpuMillis: 0, memoryBytes: 0 } }]);
  });

  test("is not asked for when a service only gets smaller", async () => {
    const serviceId = await putService(opened, {
      shape: { ...firstShape({ kind: "shared" }), replicaCount: 2 },
    });
    const outcome = await change(serviceId, 0, () => ({ message: "full", details: "" }));
    expect(outcome.kind).toBe("changed");
  });
});

describe("the region of a service that names none", () => {
  test("is the one with the most free memory, relative to what it has", async () => {
    await makeRegion("small", 4 * GIB, 40_000);
    await putService(opened);
    expect((await regionsByRoom(db)).map(({ code }) => code)).toEqual(["small", regionCode]);
    const outcome = await draft(opened, { regionCode: null, respond: (service) => service.region_code });
    expect(outcome).toMatchObject({ kind: "created", response: "small" });
  });

  test("is another when the roomiest refuses", async () => {
    await makeRegion("a-first", 4 * GIB, 40_000);
    const outcome = await draft(opened, {
      regionCode: null,
      admit: ({ code }) => (code === "a-first" ? { message: "no", details: "" } : null),
      respond: (service) => service.region_code,
    });
    expect(outcome).toMatchObject({ kind: "created", response: regionCode });
  });

  test("that is not there is answered with those that are", async () => {
    expect(await draft(opened, { regionCode: "mars" })).toEqual({
      kind: "unknown-region",
      known: [regionCode],
    });
  });
});

describe("ports", () => {
  test("are given to one service each, two to every service", async () => {
    const ports = await Promise.all(
      Array.from({ length: 20 }, () =>
        putService(opened, { respond: (service) => `${service.endpoint_port} ${service.pooler_port}` }),
      ),
    );
    expect(new Set(ports.flatMap((pair) => pair.split(" "))).size).toBe(40);
    expect(await portStock(db, regionCode)).toBe(60);
  });

  test("that run out are told, and nothing is created", async () => {
    await makeRegion("few-ports", 64 * GIB, 40_000);
    expect((await draft(opened, { regionCode: "few-ports" })).kind).toBe("created");
    await addPorts(db, "few-ports", [40_002]);
    expect(await draft(opened, { regionCode: "few-ports" })).toEqual({
      kind: "no-port",
      regionCode: "few-ports",
    });
    expect(await takenPorts(db, "few-ports")).toEqual(new Set([40_000, 40_001, 40_002]));
    expect(await portStock(db, "few-ports")).toBe(1);
  });

  test("that are known already stay with their service when they are added again", async () => {
    await makeRegion("again", 64 * GIB, 40_000);
    await draft(opened, { regionCode: "again" });
    await addPorts(db, "again", [40_000, 40_002]);
    expect(await portStock(db, "again")).toBe(1);
  });
});

test("a region's report renews what was known of it", async () => {
  await reportRegion(db, "grown", { cpuMillis: 1000, memoryBytes: GIB });
  await reportRegion(db, "grown", { cpuMillis: 2000.5, memoryBytes: 8 * GIB });
  expect(await regionsByRoom(db)).toContainEqual(
    expect.objectContaining({ code: "grown", capacity: { cpuMillis: 2000, memoryBytes: 8 * GIB } }),
  );
});

async function makeRegion(code: string, memoryBytes: number, port: number) {
  await reportRegion(db, code, { cpuMillis: 64_000, memoryBytes });
  await addPorts(db, code, [port, port + 1]);
}

function grow(serviceId: string, admit: Parameters<typeof change>[2]) {
  return change(serviceId, 1, admit);
}

function change(serviceId: string, replicaCount: number, admit: Admit) {
  return changeShape(db, {
    projectId,
    serviceId,
    actor: "key:test",
    eventType: "service.ha.accepted",
    decide: (current) => ({ kind: "shape", shape: { ...current, replicaCount }, message: "changed" }),
    admit,
  });
}
