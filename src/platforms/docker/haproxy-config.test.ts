import { expect, it } from "vitest";
import { MAX_REPLICAS } from "../../contract/requests.ts";
import { renderHaproxyConfig } from "./haproxy-config.ts";

it("has a place for every member that a service can have", () => {
  const slots = Number(/server-template member (\d+)/.exec(renderHaproxyConfig())?.[1]);
  expect(slots).toBeGreaterThan(1 + MAX_REPLICAS);
});

it("leads only to a member that Patroni calls the primary", () => {
  const backend = renderHaproxyConfig().split("\nbackend primary")[1] ?? "";
  expect(backend).toContain("option httpchk OPTIONS /primary");
});

it("keeps what it has resolved while the engine's DNS is silent", () => {
  for (const failure of ["nx", "other", "refused", "timeout"]) {
    expect(renderHaproxyConfig()).toContain(`hold ${failure} 1d`);
  }
});

it("does not shut sessions down with a server, which leaves clients hanging that just connect", () => {
  expect(renderHaproxyConfig()).not.toContain("shutdown-sessions");
});

it("gives up connections into a network that was cut", () => {
  expect(renderHaproxyConfig()).toContain("tcp-ut 10s");
  expect(renderHaproxyConfig()).toContain("srvtcpka-idle 10s");
});
