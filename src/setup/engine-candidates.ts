import { readFileSync } from "node:fs";
import path from "node:path";
import type { DockerOptions } from "dockerode";

/** A place where an engine may answer. */
export interface EngineCandidate {
  /** What a person would type to name it. */
  readonly name: string;
  readonly connection: DockerOptions;
}

export interface EngineAddress {
  readonly dockerHost?: string | undefined;
  /** Folder with ca.pem, cert.pem and key.pem for an engine behind TLS. */
  readonly dockerCertPath?: string | undefined;
  readonly xdgRuntimeDir?: string | undefined;
}

export class BadEngineAddress extends Error {
  override readonly name = "BadEngineAddress";
}

export const DOCKER_SOCKET = "/var/run/docker.sock";
const TLS_PORT = "2376";

/** Where to look, in this order. An address that was asked for is the only one: it must not be replaced in silence. */
export function engineCandidates(address: EngineAddress): EngineCandidate[] {
  const { dockerHost, xdgRuntimeDir } = address;
  if (dockerHost !== undefined && dockerHost !== "" && !isUsualSocket(dockerHost)) {
    return [{ name: dockerHost, connection: parseDockerHost(dockerHost, address.dockerCertPath) }];
  }
  const sockets = [DOCKER_SOCKET, "/run/podman/podman.sock"];
  if (xdgRuntimeDir !== undefined && xdgRuntimeDir !== "")
    sockets.push(path.join(xdgRuntimeDir, "podman/podman.sock"));
  return sockets.map((socket) => ({ name: `unix://${socket}`, connection: socketConnection(socket) }));
}

/** DOCKER_HOST often just repeats the default; an engine may be installed and started behind that one. */
export function isUsualSocket(dockerHost: string): boolean {
  return ["unix://", `unix://${DOCKER_SOCKET}`, "unix:///run/docker.sock"].includes(dockerHost);
}

function socketConnection(socketPath: string): DockerOptions {
  // The client merges the environment's DOCKER_HOST into whatever is not said here; so everything is said.
  return { ...NOTHING_FROM_ENVIRONMENT, socketPath, protocol: "http" };
}

const NOTHING_FROM_ENVIRONMENT: DockerOptions = {
  host: undefined,
  port: undefined,
  socketPath: undefined,
  ca: undefined,
  cert: undefined,
  key: undefined,
};

function parseDockerHost(dockerHost: string, certPath: string | undefined): DockerOptions {
  if (dockerHost.startsWith("unix://")) return socketConnection(dockerHost.slice("unix://".length));
  const url = URL.parse(dockerHost.includes("://") ? dockerHost : `tcp://${dockerHost}`);
  if (url === null || url.hostname === "" || !["tcp:", "http:", "https:"].includes(url.protocol)) {
    throw new BadEngineAddress(
      `DOCKER_HOST is "${dockerHost}"; it has to look like unix:///path/to/socket or tcp://host:port`,
    );
  }
  const secure = url.protocol === "https:" || url.port === TLS_PORT;
  return {
    ...NOTHING_FROM_ENVIRONMENT,
    host: url.hostname,
    port: url.port === "" ? (secure ? TLS_PORT : "2375") : url.port,
    protocol: secure ? "https" : "http",
    ...(secure && certPath !== undefined ? readCertificates(certPath) : {}),
  };
}

function readCertificates(folder: string): DockerOptions {
  const read = (file: string) => readFileSync(path.join(folder, file));
  return { ca: read("ca.pem"), cert: read("cert.pem"), key: read("key.pem") };
}
