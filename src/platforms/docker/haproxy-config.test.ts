import { expect, it } from "vitest";
import { MAX_REPLICAS } from "../../contract/requests.ts";
import { renderHaproxyConfig } from "./haproxy-config.ts";

it("has a place for every member that a service can have", () => {
  const slots = Number(/server-template member (\d+)/.exec(renderHaproxyConfig())?.[1]);
  expect(slots).toBeGreaterThan(1 + MAX_REPLICAS);
});

it("leads only to a member that Patroni calls the primary, and ends connections to one that no longer is", () => {
  const backend = renderHaproxyConfig().split("\nbackend primary")[1] ?? "";
  expect(backend).toContain("option httpchk OPTIONS /primary");
  expect(backend).toContain("on-marked-down shutdown-sessions");
});

it("keeps what it has resolved while the engine's DNS is silent", () => {
  for (const failure of ["nx", "other", "refused", "timeout"]) {
    expect(renderHaproxyConfig()).toContain(`hold ${failure} 1d`);
  }
});

it("tells clients at once where nobody leads: retries would leave some of them hanging for good", () => {
  expect(renderHaproxyConfig()).toMatch(/^ {2}retries 0$/m);
});
