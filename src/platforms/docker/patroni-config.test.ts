import { describe, expect, it } from "vitest";
import { SHARED_SIZE } from "../../contract/size.ts";
import { PARAMETERS } from "../../planner/parameter-catalogue.ts";
import { settingsForSize } from "../../planner/settings.ts";
import { configurationPatch, type MemberConfiguration, renderPatroniConfig } from "./patroni-config.ts";

const member: MemberConfiguration = {
  serviceId: "abcdefghij",
  readsFrom: null,
  name: "member-1",
  address: "10.213.0.11",
  addons: ["time-series"],
  configuration: { settings: settingsForSize(SHARED_SIZE), syncReplicaCount: 0 },
  data: "new",
  log: { bytes: 100 * 1024 ** 2, seconds: 7 * 86_400 },
  secrets: {
    adminVerifier: "SCRAM-SHA-256$admin",
    replicationPassword: "replication secret",
    rewindPassword: "rewind secret",
    monitorPassword: "monitor secret",
    patroniPassword: "patroni secret",
    poolerPassword: "pooler secret",
    poolerKey: "pooler key",
    parent: null,
  },
};

describe("a member's Patroni", () => {
  it("may start a new database only where the planner said so", () => {
    expect(rendered({ data: "new" }).bootstrap).toMatchObject({ post_bootstrap: expect.any(String) });
    expect(rendered({ data: "new" }).bootstrap).not.toHaveProperty("method");
    const copy = rendered({ data: "copy" }).bootstrap;
    expect(copy).toMatchObject({
      method: "refuse",
      refuse: { command: expect.stringContaining("refuse-bootstrap") },
    });
    expect(copy).not.toHaveProperty("initdb");
  });

  it("lets roles of Howdah in only from the service's own network, and the superuser only by the socket", () => {
    const { pg_hba: rules } = rendered({}).postgresql;
    const reject = rules.findIndex((rule) => rule.endsWith("reject"));
    expect(rules[reject]).toContain(
      "postgres,howdah_replication,howdah_rewind,howdah_monitor,howdah_pooler ",
    );
    expect(rules.filter((rule) => /\bpostgres (?!,)/.test(rule) && rule.startsWith("local all"))).toEqual([
      "local all postgres peer",
    ]);
    expect(rules.slice(reject + 1)).toEqual([
      "host postgres,template1 all all reject",
      "hostssl all all all scram-sha-256",
    ]);
  });

  it("lets the pooler look up passwords only with a certificate of the installation's", () => {
    const { pg_hba: rules } = rendered({}).postgresql;
    expect(rules.filter((rule) => rule.includes("howdah_pooler") && !rule.endsWith("reject"))).toEqual([
      "hostssl postgres howdah_pooler samenet scram-sha-256 clientcert=verify-ca",
    ]);
  });

  it("never lets anybody in without TLS from outside the container", () => {
    const { pg_hba: rules } = rendered({}).postgresql;
    for (const rule of rules) expect(rule).toMatch(/^(local|hostssl) |^host .* reject$/);
  });

  it("loads TimescaleDB where the add-on says so and nowhere else", () => {
    expect(parameters({ addons: ["time-series", "ai"] })).toMatchObject({
      shared_preload_libraries: "timescaledb,howdah_guard",
    });
    expect(parameters({ addons: ["ai"] })).toMatchObject({ shared_preload_libraries: "howdah_guard" });
    expect(parameters({ addons: [] })).toMatchObject({ shared_preload_libraries: "howdah_guard" });
  });

  it("fixes nothing that users may change", () => {
    const fixed = parameters({ configuration: { settings: {}, syncReplicaCount: 0 } });
    const managed = new Set(PARAMETERS.map(({ name }) => name));
    expect(Object.keys(fixed).filter((name) => managed.has(name))).toEqual([]);
  });

  it("does not get the tenant's verifier or passwords that it has no use for", () => {
    const text = renderPatroniConfig(member);
    expect(text).not.toContain("SCRAM-SHA-256$admin");
    expect(text).not.toContain("monitor secret");
    expect(text).not.toContain("pooler secret");
  });

  it("keeps the pooler's key to itself, out of what etcd is told", () => {
    expect(rendered({}).postgresql.parameters).toMatchObject({ "howdah.pooler_key": "pooler key" });
    expect(JSON.stringify(rendered({}).bootstrap.dcs)).not.toContain("pooler key");
  });
});

describe("a change of the cluster's configuration", () => {
  it("turns synchronous mode on and off with the count", () => {
    const settings = settingsForSize(SHARED_SIZE);
    expect(configurationPatch({ settings, syncReplicaCount: 2 })).toMatchObject({
      synchronous_mode: true,
      synchronous_node_count: 2,
    });
    expect(configurationPatch({ settings, syncReplicaCount: 0 })).toMatchObject({ synchronous_mode: false });
  });

  it("touches no setting but those that follow the size", () => {
    const settings = settingsForSize(SHARED_SIZE);
    expect(configurationPatch({ settings, syncReplicaCount: 0 }).postgresql).toEqual({
      parameters: settings,
    });
  });
});

interface Rendered {
  readonly scope: string;
  readonly tags?: Readonly<Record<string, boolean>>;
  readonly bootstrap: {
    readonly dcs: { readonly postgresql: { readonly parameters: Record<string, unknown> } };
  };
  readonly postgresql: {
    readonly pg_hba: readonly string[];
    readonly parameters: Record<string, unknown>;
  };
}

function rendered(change: Partial<MemberConfiguration>): Rendered {
  return JSON.parse(renderPatroniConfig({ ...member, ...change }));
}

function parameters(change: Partial<MemberConfiguration>): Record<string, unknown> {
  return rendered(change).bootstrap.dcs.postgresql.parameters;
}

describe("the Patroni of a member that only reads", () => {
  const reading = rendered({
    readsFrom: { serviceId: "parent0000" },
    name: "read-abcdefghij-0",
    data: "copy",
  });

  it("stands among the members of the service that it reads from, and never takes their place", () => {
    expect(reading.scope).toBe("parent0000");
    expect(reading.tags).toEqual({ nofailover: true, nosync: true });
    expect(rendered({}).tags).toBeUndefined();
  });

  it("has settings of its own size", () => {
    expect(reading.postgresql.parameters).toMatchObject(settingsForSize(SHARED_SIZE));
    expect(rendered({}).postgresql.parameters).not.toHaveProperty("shared_buffers");
  });
});
