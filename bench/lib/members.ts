import type Docker from "dockerode";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { until } from "./deadline.ts";
import { containersOf } from "./service.ts";

const MEMBER = `${LABEL.role}=member`;

/** The container of a service's member. @param server as takeover's `writer` tells it: its address comes first */
export async function memberAt(engine: Docker, id: string, server: string): Promise<Docker.Container> {
  const [address = ""] = server.split(/[ /]/);
  const found = (await containersOf(engine, id, MEMBER)).find(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Networks).some(({ IPAddress }) => IPAddress === address),
  );
  if (!found) throw new Error(`no member of service ${id} has the address ${address}`);
  return engine.getContainer(found.Id);
}

const TRUSTED_WITHIN_MS = 60_000;
const PATRONI_TIMEOUT_MS = 2_000;

/** Waits until the members have agreed that a synchronous replica may take over; a failover before that is another thing. */
export async function untilTrusted(engine: Docker, id: string, signal: AbortSignal): Promise<void> {
  const patience = { deadlineMs: TRUSTED_WITHIN_MS, everyMs: 50, signal };
  await until({ what: "a replica that may take over", ...patience }, async () => {
    const members = await containersOf(engine, id, MEMBER);
    const views = await Promise.all(members.map(({ NetworkSettings }) => clusterSeenBy(NetworkSettings)));
    return views.length > 1 && views.every((view) => view.includes('"sync_standby"')) ? true : undefined;
  });
}

async function clusterSeenBy({ Networks }: Docker.ContainerInfo["NetworkSettings"]): Promise<string> {
  const address = Object.values(Networks)[0]?.IPAddress;
  const signal = AbortSignal.timeout(PATRONI_TIMEOUT_MS);
  return (await fetch(`http://${address}:8008/cluster`, { signal })).text();
}
