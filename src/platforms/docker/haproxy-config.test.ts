import { expect, it } from "vitest";
import { MAX_REPLICAS } from "../../contract/requests.ts";
import { renderHaproxyConfig } from "./haproxy-config.ts";

const surroundings = { bridge: "10.213.0.1", pooler: "10.213.0.4", members: "members" };
const rendered = renderHaproxyConfig({ ...surroundings, leadsTo: "primary" });

it("is the text that HAProxy reads", async () => {
  await expect(rendered).toMatchFileSnapshot("golden/haproxy.cfg");
});

it("has a place for every member that a service can have", () => {
  const slots = Number(/server-template member (\d+)/.exec(rendered)?.[1]);
  expect(slots).toBeGreaterThan(1 + MAX_REPLICAS);
});

it("leads only to a member that holds the lead and whose server is a primary already", () => {
  const backend = rendered.split("\nbackend members\n")[1]?.split("\n\n")[0] ?? "";
  expect(backend).toContain("  option httpchk GET /primary\n");
  expect(backend).toContain("  http-check expect status 200\n");
  const [, expected = ""] = /expect rstring '(.*)'/.exec(backend) ?? [];
  const told = { state: "running", postmaster_start_time: "2026-11-21", role: "primary", timeline: 2 };
  const asPatroniWrites = (status: object) => JSON.stringify(status).replaceAll(/([:,])(?=["\d])/g, "$1 ");
  expect(asPatroniWrites(told)).toMatch(new RegExp(expected));
  expect(asPatroniWrites({ ...told, role: "replica" })).not.toMatch(new RegExp(expected));
  expect(asPatroniWrites({ ...told, state: "starting" })).not.toMatch(new RegExp(expected));
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

it("leads from the gateway of readers to all of them that are replicas, and to whichever has the fewest connections", () => {
  const readers = renderHaproxyConfig({ ...surroundings, members: "read-abcdefghij", leadsTo: "replica" });
  expect(readers).toContain("lua-load /usr/local/lib/howdah/gateway.lua replica\n");
  const backend = readers.split("\nbackend members\n")[1]?.split("\n\n")[0] ?? "";
  expect(backend).toContain("  balance leastconn\n");
  expect(backend).toContain("  option httpchk GET /replica\n");
  expect(backend).toContain(" read-abcdefghij:5432 ");
  expect(readers).not.toMatch(/GET \/primary|"role": "primary"/);
});
