import type Docker from "dockerode";
import { LABEL } from "../../src/platforms/docker/names.ts";

/** The container of a service's member. @param server as takeover's `writer` tells it: its address comes first */
export async function memberAt(engine: Docker, id: string, server: string): Promise<Docker.Container> {
  const [address = ""] = server.split(/[ /]/);
  const members = await engine.listContainers({
    filters: { label: [`${LABEL.service}=${id}`, `${LABEL.role}=member`] },
  });
  const found = members.find(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Networks).some(({ IPAddress }) => IPAddress === address),
  );
  if (!found) throw new Error(`no member of service ${id} has the address ${address}`);
  return engine.getContainer(found.Id);
}
