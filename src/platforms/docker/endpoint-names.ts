import { isIP } from "node:net";
import { vpcHost } from "../../contract/vpcs.ts";
import type { CertificateNames } from "../../lib/authority.ts";
import type { Context } from "./context.ts";

/** Everything by which clients may know what answers at a service's endpoint, for its certificate. */
export function endpointNames(
  { publicHost }: Context,
  {
    serviceId,
    name,
    address,
  }: { readonly serviceId: string; readonly name: string; readonly address: string },
): CertificateNames {
  const hostIsAddress = isIP(publicHost) !== 0;
  return {
    commonName: serviceId,
    // From the beginning, so that an attachment to a VPC changes no member.
    dns: ["localhost", name, vpcHost(serviceId), ...(hostIsAddress ? [] : [publicHost])],
    ips: [...new Set([address, "127.0.0.1", ...(hostIsAddress ? [publicHost] : [])])],
  };
}
