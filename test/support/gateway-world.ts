/** A gateway in a network of its own, with stand-ins for primary and pooler behind it and clients before it. */
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type Docker from "dockerode";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import { findNetwork, type ServiceNetwork } from "../../src/platforms/docker/network.ts";
import type { ServiceIdentity } from "../../src/platforms/platform.ts";
import { openDockerPlatform, type TestPlatform } from "./docker-platform.ts";
import { serviceIdentity } from "./services.ts";

const SERVICE = "gateways01";
const PATIENCE_MS = 60_000;

/**
 * Answers health checks, and echoes; like a server in a query, it notices late that a client has gone. SIGUSR1 closes the
 * port that echoes, SIGUSR2 opens it again. From SIGHUP on it says that it is a replica, from SIGALRM on a primary.
 */
const STAND_IN = `
import http.server, signal, socketserver, sys, threading, time
class Echo(socketserver.BaseRequestHandler):
    def handle(self):
        while data := self.request.recv(4096): self.request.sendall(data)
        time.sleep(0.5)
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if role == "primary" else 503)
        self.end_headers()
        self.wfile.write(b'{"state": "running", "role": "%s"}' % role.encode())
    def log_message(self, *_): pass
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
def listen(*_):
    global server
    server = Server(("", int(sys.argv[1])), Echo)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
def close(*_): server.shutdown(); server.server_close()
def become(wanted):
    global role
    role = wanted
become("primary")
signal.signal(signal.SIGHUP, lambda *_: become("replica")); signal.signal(signal.SIGALRM, lambda *_: become("primary"))
signal.signal(signal.SIGUSR1, close); signal.signal(signal.SIGUSR2, listen)
listen()
http.server.ThreadingHTTPServer(("", 8008), Health).serve_forever()
`;

/** Prints "in" for every echo that came back, "out" for every connection that ended, each with the time. */
const CLIENT = `
import socket, sys, time
host, port, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def say(word): print(word, int(time.time() * 1000), flush=True)
end = time.time() + 60
while time.time() < end:
    try:
        with socket.create_connection((host, port), 10) as s:
            s.settimeout(10)
            while True:
                s.sendall(b"x")
                if not s.recv(1): raise OSError
                say("in")
                if how == "half":
                    s.shutdown(socket.SHUT_WR)
                    s.recv(1)
                if how != "hold": break
                time.sleep(0.01)
    except TimeoutError: say("hangs")
    except OSError: say("out")
    if how != "knock": break
    time.sleep(0.002)
`;

export interface Heard {
  readonly word: string;
  readonly atMs: number;
}

/** A client's program, which goes on in its container. */
export interface Client {
  /** Everything that it has said so far. */
  readonly heard: readonly Heard[];
  /** The first thing that it says, or has said. Throws after `limitMs`. */
  first(limitMs?: number): Promise<Heard>;
  /** The next thing that it says, from now on. Throws after `limitMs`. */
  next(matches?: (heard: Heard) => boolean, limitMs?: number): Promise<Heard>;
}

/** Once; for as long as it is let; once, and closing its half of the connection then; again and again. */
export type Way = "once" | "hold" | "half" | "knock";

export interface GatewayWorld extends TestPlatform {
  readonly identity: ServiceIdentity;
  readonly network: ServiceNetwork;
  /** What everything of the service carries. */
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly gatewayName: string;
  readonly gateway: Docker.Container;
  readonly primary: Docker.Container;
  /** The last hextet of an IPv6 address is the last octet of the IPv4 address, as in every container of the network. */
  readonly ipv6Of: (place: number) => string;
  readonly ipv4Of: (place: number) => string;
  /** Puts a client container into a place of the network, with an IPv4 and an IPv6 address. */
  place(place: number): Promise<Docker.Container>;
  /** Connects from a client container. */
  connect(from: Docker.Container, host: string, port: number, way: Way): Promise<Client>;
}

export async function openGatewayWorld(): Promise<GatewayWorld> {
  const base = await openDockerPlatform("gateway");
  const { docker, platform, image, runId, labels } = base;
  const names = namesFor(runId);
  try {
    const [port = 0, poolerPort = 0] = await platform.freePorts(2, new Set());
    const identity = serviceIdentity(SERVICE, port, poolerPort);
    const serviceLabels = { ...labels, [LABEL.installation]: runId, [LABEL.service]: SERVICE };
    const ipv4 = `10.221.${randomBytes(1).readUInt8()}`;
    const ipv6 = `fd00:${randomBytes(2).toString("hex")}:${randomBytes(2).toString("hex")}`;
    await docker.createNetwork({
      Name: names.network(SERVICE),
      Driver: "bridge",
      EnableIPv6: true,
      IPAM: { Driver: "default", Config: [{ Subnet: `${ipv4}.0/27` }, { Subnet: `${ipv6}::/64` }] },
      Labels: serviceLabels,
    });
    const network = await findNetwork(docker, names.network(SERVICE));
    if (!network) throw new Error("the network is not there");
    await platform.execute({ kind: "ensureFoundation" }, identity);
    const ipv4Of = (place: number) => `${ipv4}.${place}`;
    const ipv6Of = (place: number) => `${ipv6}::${place}`;

    const run = async (place: number, aliases: readonly string[], ...command: string[]) => {
      const container = await docker.createContainer({
        Image: image,
        Cmd: command,
        Labels: labels,
        HostConfig: { Init: true },
        NetworkingConfig: {
          EndpointsConfig: {
            [network.name]: {
              Aliases: [...aliases],
              IPAMConfig: { IPv4Address: ipv4Of(place), IPv6Address: ipv6Of(place) },
            },
          },
        },
      });
      await container.start();
      return container;
    };
    const primary = await run(10, ["members"], "python3", "-c", STAND_IN, "5432");
    await run(4, [], "python3", "-c", STAND_IN, "6432");

    return {
      ...base,
      identity,
      network,
      serviceLabels,
      gatewayName: names.gateway(SERVICE),
      gateway: docker.getContainer(names.gateway(SERVICE)),
      primary,
      ipv4Of,
      ipv6Of,
      place: (place) => run(place, [], "sleep", "infinity"),
      connect: (from, host, port, way) => listenTo(from, ["python3", "-c", CLIENT, host, String(port), way]),
    };
  } catch (error) {
    await base.dispose();
    throw error;
  }
}

async function listenTo(container: Docker.Container, command: string[]): Promise<Client> {
  const exec = await container.exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.on("end", () => output.end());
  const lines = createInterface({ input: output });
  const heard: Heard[] = [];
  lines.on("line", (line) => {
    const [word = "", time] = line.split(" ");
    heard.push({ word, atMs: Number(time) });
  });
  const after = (begun: number, matches: (heard: Heard) => boolean, limitMs: number) =>
    new Promise<Heard>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        lines.off("line", look);
        act();
      };
      const look = () => {
        const found = heard.slice(begun).find(matches);
        if (found) settle(() => resolve(found));
      };
      const fail = () => reject(new Error(`not heard, but ${JSON.stringify(heard.slice(-3))}`));
      const timer = setTimeout(() => settle(fail), limitMs);
      lines.on("line", look);
      look();
    });
  return {
    heard,
    first: (limitMs = PATIENCE_MS) => after(0, () => true, limitMs),
    next: (matches = () => true, limitMs = PATIENCE_MS) => after(heard.length, matches, limitMs),
  };
}
