import { describe, expect, test } from "vitest";
import { strictErrors } from "../../test/support/strict.ts";
import { Service } from "../contract/service.ts";
import type { Service as ServiceRow } from "../store/service-row.ts";
import { presentService } from "./present.ts";

const ROW: ServiceRow = {
  id: "aaaaaaaaaa",
  project_id: "pppppppppp",
  name: "orders",
  region_code: "local",
  addons: ["time-series"],
  environment: "PROD",
  created_at: new Date("2026-11-21T05:00:00.123Z"),
  endpoint_host: "127.0.0.1",
  endpoint_port: 20_000,
  pooler_port: 20_001,
  generation: 1,
  presence: "present",
  cpu_millis: 1000,
  memory_gbs: 4,
  replica_count: 2,
  sync_replica_count: 1,
  power: "running",
  pooler: false,
  allow_list: ["0.0.0.0/0", "::/0"],
  parameters: {},
  password_version: 1,
  forked_from: null,
  read_from: null,
  vpc_id: null,
  deletion_protection: false,
  settled_generation: 1,
  status: "READY",
  status_reason: "",
  conditions: [],
  in_force: null,
};

const ATTACHED: ServiceRow = {
  ...ROW,
  in_force: {
    settings: null,
    passwordVersion: 1,
    allowList: [],
    primary: 0,
    pooler: false,
    vpc: { vpcId: "12", peerings: [] },
  },
};

describe("a record", () => {
  test("matches the contract strictly in every form it can have", () => {
    for (const record of [
      presentService(ROW),
      presentService({ ...ROW, cpu_millis: null, memory_gbs: null }),
      presentService({ ...ROW, pooler: true, forked_from: "bbbbbbbbbb" }),
      presentService(ATTACHED, { initialPassword: "secret" }),
    ])
      expect(strictErrors(Service, record)).toEqual([]);
  });

  test("always has both replica counts, also when they are 0", () => {
    expect(presentService({ ...ROW, replica_count: 0, sync_replica_count: 0 }).ha_replicas).toEqual({
      replica_count: 0,
      sync_replica_count: 0,
    });
  });

  test("of a shared size has a spec without the two numbers", () => {
    expect(presentService({ ...ROW, cpu_millis: null, memory_gbs: null }).resources).toEqual([
      { id: "aaaaaaaaaa", spec: { volume_type: "local" } },
    ]);
  });

  test("has no pooler and no VPC endpoint under any name where there is none", () => {
    const record = presentService(ROW);
    for (const name of [
      "connection_pooler",
      "vpc_endpoint",
      "vpcEndpoint",
      "initial_password",
      "forked_from",
      "metrics",
    ])
      expect(record).not.toHaveProperty(name);
  });

  test("has a VPC endpoint under both names with the same content", () => {
    const vpcEndpoint = { host: "aaaaaaaaaa.howdah.internal", port: 5432, vpc_id: "12" };
    expect(presentService(ATTACHED)).toMatchObject({
      vpc_endpoint: vpcEndpoint,
      vpcEndpoint,
    });
  });

  test("has times as RFC 3339", () => {
    expect(presentService(ROW).created).toBe("2026-11-21T05:00:00.123Z");
  });
});
