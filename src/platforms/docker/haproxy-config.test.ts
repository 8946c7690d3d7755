import { expect, it } from "vitest";
import { MAX_REPLICAS } from "../../contract/requests.ts";
import { renderHaproxyConfig } from "./haproxy-config.ts";

const rendered = renderHaproxyConfig({ bridge: "10.213.0.33", pooler: "10.213.0.36" });

it("is the text that HAProxy reads", async () => {
  await expect(rendered).toMatchFileSnapshot("golden/haproxy.cfg");
});

it("has a place for every member that a service can have", () => {
  const slots = Number(/server-template member (\d+)/.exec(rendered)?.[1]);
  expect(slots).toBeGreaterThan(1 + MAX_REPLICAS);
});

it("leads only to a member that Patroni calls the primary", () => {
  const backend = rendered.split("\nbackend primary")[1] ?? "";
  expect(backend).toContain("option httpchk OPTIONS /primary");
});

it("asks who may connect before anything else, at both of the service's ports", () => {
  for (const frontend of ["endpoint", "pooled"]) {
    const section = rendered.split(`\nfrontend ${frontend}\n`)[1]?.split("\n\n")[0] ?? "";
    expect(/tcp-request .*/.exec(section)?.[0]).toBe(
      "tcp-request connection reject unless { src,map_ip(/run/admitted.map,no) -m str yes }",
    );
  }
});

it("keeps what it has resolved while the engine's DNS is silent", () => {
  for (const failure of ["nx", "other", "refused", "timeout"]) {
    expect(rendered).toContain(`hold ${failure} 1d`);
  }
});

it("does not shut sessions down with a server, which leaves clients hanging that just connect", () => {
  expect(rendered).not.toContain("shutdown-sessions");
});

it("gives up connections into a network that was cut", () => {
  expect(rendered).toContain("tcp-ut 10s");
  expect(rendered).toContain("srvtcpka-idle 10s");
});
