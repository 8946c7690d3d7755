import { homedir, hostname } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { BadSettings, loadConfig } from "./config.ts";

test("without any setting the defaults apply", () => {
  expect(loadConfig({})).toMatchObject({
    home: path.join(homedir(), ".howdah"),
    host: "127.0.0.1",
    port: 8420,
    publicHost: "127.0.0.1",
    databaseUrl: null,
    platform: "docker",
    concurrency: 8,
    cpuOvercommit: 8,
    memoryOvercommit: 2,
    rateLimit: 2000,
    eventDays: 90,
    auditDays: 400,
    webhookAllow: [],
    trustedProxies: [],
    logLevel: "info",
    testLabel: null,
  });
  expect(loadConfig({}).sizes).toHaveLength(7);
});

test("text becomes numbers, and an empty variable counts as unset", () => {
  const config = loadConfig({ HOWDAH_PORT: "9000", HOWDAH_CPU_OVERCOMMIT: "1.5", HOWDAH_CONCURRENCY: "" });
  expect(config).toMatchObject({ port: 9000, cpuOvercommit: 1.5, concurrency: 8 });
});

test("the command line wins over the environment", () => {
  expect(loadConfig({ HOWDAH_PLATFORM: "docker" }, { platform: "simulated" }).platform).toBe("simulated");
});

test("an API elsewhere is named by its address, key and project", () => {
  expect(loadConfig({}).api).toEqual({ url: null, key: null, projectId: null });
  const elsewhere = {
    HOWDAH_API_URL: "https://db.example.org/api/v1",
    HOWDAH_API_KEY: "howdah_public_secret",
    HOWDAH_PROJECT_ID: "p7d2m4n8zz",
  };
  expect(loadConfig(elsewhere).api).toEqual({
    url: "https://db.example.org/api/v1",
    key: "howdah_public_secret",
    projectId: "p7d2m4n8zz",
  });
  expect(() => loadConfig({ HOWDAH_API_URL: "db.example.org" })).toThrow(/HOWDAH_API_URL.*http:/);
});

test("endpoints carry the machine's name where the API listens on every address", () => {
  expect(loadConfig({ HOWDAH_HOST: "0.0.0.0" }).publicHost).toBe(hostname());
  expect(loadConfig({ HOWDAH_HOST: "::" }).publicHost).toBe(hostname());
  expect(loadConfig({ HOWDAH_HOST: "0.0.0.0", HOWDAH_PUBLIC_HOST: "db.example.org" }).publicHost).toBe(
    "db.example.org",
  );
});

test("all bad settings are named at once, each with what would be accepted", () => {
  const read = () =>
    loadConfig({
      HOWDAH_PORT: "eighty",
      HOWDAH_PLATFORM: "vmware",
      HOWDAH_SIZES: "500/2,big",
      HOWDAH_CONCURRENCY: "0",
      HOWDAH_LOG_LEVEL: "loud",
    });
  expect(read).toThrow(BadSettings);
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [BadSettings: These settings cannot be used:
      HOWDAH_CONCURRENCY: "0" is not accepted; write a number of services to work on at a time, 1 to 256
      HOWDAH_LOG_LEVEL: "loud" is not accepted; write trace, debug, info, warn, error or silent
      HOWDAH_PLATFORM: "vmware" is not accepted; write docker or simulated
      HOWDAH_PORT: "eighty" is not accepted; write a port number, 1 to 65535
      HOWDAH_SIZES: "big" is not a size; write cpu_millis/memory_gbs, such as 500/2]
  `);
});

test("ranges of addresses are read in canonical form, and each that is none is named", () => {
  const lists = { HOWDAH_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8, FD00:0::/8", HOWDAH_TRUSTED_PROXIES: "192.0.2.1" };
  expect(loadConfig(lists)).toMatchObject({
    webhookAllow: ["10.0.0.0/8", "fd00::/8"],
    trustedProxies: ["192.0.2.1/32"],
  });
  expect(() => loadConfig({ HOWDAH_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8,inside" })).toThrow(
    /HOWDAH_WEBHOOK_ALLOW_CIDRS: "inside" is no range of addresses/,
  );
});

test("a connection string that cannot be used is not repeated, since it may hold a password", () => {
  const read = () => loadConfig({ DATABASE_URL: "mysql://root:hunter2@db/x" });
  expect(read).toThrow(/DATABASE_URL.*postgres:\/\//);
  expect(read).not.toThrow(/hunter2/);
});
