import { describe, expect, it } from "vitest";
import { MAX_READ_NODES, MAX_READ_SETS } from "../../contract/read-replica-sets.ts";
import { MAX_REPLICAS } from "../../contract/requests.ts";
import { freeSubnet, networkOf, rangeOf } from "./network.ts";

describe("address ranges of services", () => {
  it("take the first free /24 of the pool", () => {
    expect(freeSubnet([])).toBe("10.213.0.0/24");
    expect(freeSubnet([rangeOf("10.213.0.0/24"), rangeOf("10.213.1.0/24")])).toBe("10.213.2.0/24");
  });

  it("step over ranges of any size that others use", () => {
    expect(freeSubnet([rangeOf("10.213.0.0/16")])).toBe("10.214.0.0/24");
    expect(freeSubnet([rangeOf("10.213.0.5/32")])).toBe("10.213.1.0/24");
  });

  it("leave ranges outside the pool alone", () => {
    expect(freeSubnet([rangeOf("172.17.0.0/16"), rangeOf("192.168.0.0/24")])).toBe("10.213.0.0/24");
  });

  it("are refused when the pool is used up", () => {
    expect(() => freeSubnet([rangeOf("10.0.0.0/8")])).toThrow("every address range for services is taken");
  });
});

describe("places in a service's network", () => {
  const network = networkOf("orders", "10.213.7.0/24");

  it("are fixed for the host, etcd, the gateway, the pooler and each member", () => {
    expect(network.addressOf("bridge")).toBe("10.213.7.1");
    expect(network.addressOf("etcd")).toBe("10.213.7.2");
    expect(network.addressOf("gateway")).toBe("10.213.7.3");
    expect(network.addressOf("pooler")).toBe("10.213.7.4");
    expect(network.addressOf("firstMember")).toBe("10.213.7.10");
    expect(network.addressOf("firstMember", 8)).toBe("10.213.7.18");
  });

  it("are others for each of those who read from it, and none is anybody else's", () => {
    const places = new Set<string>();
    for (const place of [null, 0, 1, MAX_READ_SETS - 1]) {
      const row = networkOf("orders", "10.213.7.0/24", place);
      const members = place === null ? 1 + MAX_REPLICAS : MAX_READ_NODES;
      places.add(row.addressOf("gateway")).add(row.addressOf("pooler"));
      for (let ordinal = 0; ordinal < members; ordinal += 1)
        places.add(row.addressOf("firstMember", ordinal));
      expect(row.addressOf("etcd")).toBe("10.213.7.2");
    }
    expect(places.size).toBe(2 + 1 + MAX_REPLICAS + 3 * (2 + MAX_READ_NODES));
    expect([...places].every((address) => /^10\.213\.7\.(\d+)$/.test(address))).toBe(true);
  });
});
