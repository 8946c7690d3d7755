/** The gateway: HAProxy with the service's only published port, in front of whichever member is the primary. */
import type { StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { ensureContainer, hardened, start } from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { GATEWAY_PORT, HEALTH_PORT, renderHaproxyConfig } from "./haproxy-config.ts";
import { LABEL } from "./names.ts";
import { findNetwork } from "./network.ts";

const MEMORY_BYTES = 256 * 1024 ** 2;
const HEALTH_TIMEOUT_MS = 1_000;

export async function ensureGateway(context: Context, service: ServiceIdentity): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findNetwork(docker, names.network(service.serviceId));
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  const container = await ensureContainer(docker, {
    name: names.gateway(service.serviceId),
    Image: context.image,
    // The configuration holds no secret: TLS ends at the members.
    Env: [`HAPROXY_CONFIG=${renderHaproxyConfig()}`],
    Cmd: [
      "sh",
      "-c",
      'printf %s "$HAPROXY_CONFIG" > /run/haproxy.cfg && exec haproxy -W -db -f /run/haproxy.cfg',
    ],
    Labels: { ...serviceLabels(context, service.serviceId), [LABEL.role]: "gateway" },
    ExposedPorts: { [`${GATEWAY_PORT}/tcp`]: {} },
    HostConfig: hardened({
      PortBindings: {
        [`${GATEWAY_PORT}/tcp`]: [{ HostIp: context.bindHost, HostPort: String(service.port) }],
      },
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      PidsLimit: 64,
      Ulimits: [{ Name: "nofile", Soft: 16_384, Hard: 16_384 }],
    }),
    NetworkingConfig: {
      EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: network.addressOf("gateway") } } },
    },
  });
  try {
    await start(container);
    return { kind: "done" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (!/port is already allocated|address already in use/i.test(why)) throw error;
    return { kind: "failed", why: `port ${service.port} of the host is used by another program` };
  }
}

/** Whether HAProxy sees a primary now. */
export async function isServing(address: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}:${HEALTH_PORT}/serving`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
