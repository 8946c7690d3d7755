import { describe, expect, it } from "vitest";
import { freeSubnet, networkOf, rangeOf } from "./network.ts";

describe("address ranges of services", () => {
  it("take the first free /27 of the pool", () => {
    expect(freeSubnet([])).toBe("10.213.0.0/27");
    expect(freeSubnet([rangeOf("10.213.0.0/27"), rangeOf("10.213.0.32/27")])).toBe("10.213.0.64/27");
  });

  it("step over ranges of any size that others use", () => {
    expect(freeSubnet([rangeOf("10.213.0.0/16")])).toBe("10.214.0.0/27");
    expect(freeSubnet([rangeOf("10.213.0.5/32")])).toBe("10.213.0.32/27");
  });

  it("leave ranges outside the pool alone", () => {
    expect(freeSubnet([rangeOf("172.17.0.0/16"), rangeOf("192.168.0.0/24")])).toBe("10.213.0.0/27");
  });

  it("are refused when the pool is used up", () => {
    expect(() => freeSubnet([rangeOf("10.0.0.0/8")])).toThrow("every address range for services is taken");
  });
});

describe("places in a service's network", () => {
  const network = networkOf("orders", "10.213.1.224/27");

  it("are fixed for the host, etcd, the gateway, the pooler and each member", () => {
    expect(network.addressOf("bridge")).toBe("10.213.1.225");
    expect(network.addressOf("etcd")).toBe("10.213.1.226");
    expect(network.addressOf("gateway")).toBe("10.213.1.227");
    expect(network.addressOf("pooler")).toBe("10.213.1.228");
    expect(network.addressOf("firstMember")).toBe("10.213.1.234");
    expect(network.addressOf("firstMember", 8)).toBe("10.213.1.242");
  });
});
