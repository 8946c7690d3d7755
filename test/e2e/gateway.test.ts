/**
 * Who may connect, and who waits, at a gateway with stand-ins for primary and pooler behind it. Clients are containers in its network,
 * so that each has an address of its own, IPv4 and IPv6; the host itself is the client whose address nobody sees.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type Docker from "dockerode";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ObservedGateway } from "../../src/planner/observed.ts";
import {
  type GatewayState,
  holdDoor,
  LONGEST_HOLD_MS,
  leadsOnlyTo,
  readGatewayState,
  releaseDoor,
  tellMemberDead,
} from "../../src/platforms/docker/gateway.ts";
import { GATEWAY_PORT, POOLER_PORT } from "../../src/platforms/docker/haproxy-config.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { type Client, type GatewayWorld, type Heard, openGatewayWorld } from "../support/gateway-world.ts";

const PORTS = [GATEWAY_PORT, POOLER_PORT];
const FIRST = 20;
const SECOND = 21;
const PRIMARY = 10;
const SOON = { timeout: 60_000 };
/** Far less than the patience of those who wait, far more than a busy machine needs. */
const AT_ONCE_MS = 7_000;
const COMMAND_TIMEOUT_MS = 30_000;
/** In HAProxy's list, a session that leads nowhere yet. */
const WAITS = "fe=endpoint be=<NONE>";
/** How long it lets a connection wait for a primary. */
const PATIENCE_MS = 15_000;
const isIn = ({ word }: Heard) => word === "in";
const isOut = ({ word }: Heard) => word === "out";

let world: GatewayWorld;
let first: Docker.Container;
let second: Docker.Container;
let gatewayIpv4: string;
let gatewayIpv6: string;

beforeAll(async () => {
  world = await openGatewayWorld();
  [first, second] = await Promise.all([world.place(FIRST), world.place(SECOND)]);
  gatewayIpv4 = world.network.addressOf("gateway");
});

afterAll(async () => {
  await world?.dispose();
});

const observe = async (): Promise<ObservedGateway> => (await world.platform.observe(world.identity)).gateway;
const allow = (...allowList: string[]) =>
  world.platform.execute({ kind: "setAllowList", allowList }, world.identity);
const open = (...allowList: string[]) =>
  world.platform.execute({ kind: "ensureGateway", allowList }, world.identity);
const firstAddress = () => `${world.ipv4Of(FIRST)}/32`;
const secondAddress = () => `${world.ipv4Of(SECOND)}/32`;

test("a gateway of an older form is told as stopped, and made anew", async () => {
  const old = await world.docker.createContainer({
    name: world.gatewayName,
    Image: (await first.inspect()).Config.Image,
    Cmd: ["sleep", "infinity"],
    Labels: { ...world.serviceLabels, [LABEL.role]: "gateway" },
  });
  await old.start();
  expect(await observe()).toMatchObject({ state: "stopped", serving: false, allowList: null });
  expect(await open(firstAddress())).toEqual({ kind: "done" });
  expect((await world.gateway.inspect()).Id).not.toBe(old.id);
});

test("from the first connection on only those come in who may, at both ports", async () => {
  await expect.poll(observe, SOON).toEqual({ state: "running", serving: true, allowList: [firstAddress()] });
  await expect.poll(() => tried(first, POOLER_PORT), SOON).toBe("in");
  const { NetworkSettings } = await world.gateway.inspect();
  gatewayIpv6 = NetworkSettings.Networks[world.network.name]?.GlobalIPv6Address ?? "";
  for (const port of PORTS) {
    expect(await tried(first, port)).toBe("in");
    expect(await tried(second, port)).toBe("out");
    expect(await tried(first, port, gatewayIpv6)).toBe("out");
  }
  expect(await triedFromHost()).toBe("out");
});

test("answers that a gateway which runs is there, and leaves it as it is", async () => {
  const before = await world.gateway.inspect();
  expect(await open(secondAddress())).toEqual({ kind: "done" });
  expect((await world.gateway.inspect()).State.StartedAt).toBe(before.State.StartedAt);
  expect((await observe()).allowList).toEqual([firstAddress()]);
});

test("another list is in force at once: who may come comes in, and the sessions of who may not end", async () => {
  const held = await Promise.all(PORTS.map((port) => world.connect(first, gatewayIpv4, port, "hold")));
  const knocking = await world.connect(second, gatewayIpv4, GATEWAY_PORT, "knock");
  await Promise.all([...held.map((client) => client.next(isIn)), knocking.next(isOut)]);
  const ends = [...held.map((client) => client.next(isOut)), knocking.next(isIn)];
  expect(await allow(secondAddress())).toEqual({ kind: "done" });
  await Promise.all(ends);
  expect((await observe()).allowList).toEqual([secondAddress()]);
  expect(await tried(first)).toBe("out");
});

test("who may come all along notices nothing of other lists, neither in a session nor in a new connection", async () => {
  await allow(firstAddress(), secondAddress());
  const session = await world.connect(first, gatewayIpv4, POOLER_PORT, "hold");
  const knocking = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "knock");
  // Another comes and goes meanwhile, whose sessions have to end, or end by themselves, among those that stay.
  const other = await world.connect(second, gatewayIpv4, GATEWAY_PORT, "knock");
  await Promise.all([session, knocking, other].map((client) => client.next(isIn)));
  // Long lists, so that telling them takes time, through which the client goes on knocking.
  const strangers = (network: string) => Array.from({ length: 98 }, (_, host) => `${network}.${host}/32`);
  const lists = [
    [firstAddress(), ...strangers("192.0.2")],
    [...strangers("198.51.100"), `${world.ipv4Of(0)}/27`],
    ["0.0.0.0/0", "::/0"],
    [...strangers("203.0.113"), firstAddress()],
  ];
  for (const list of [...lists, ...lists, ...lists]) expect(await allow(...list)).toEqual({ kind: "done" });
  await Promise.all([session.next(), knocking.next()]);
  for (const { heard } of [session, knocking]) expect(heard.filter((each) => !isIn(each))).toEqual([]);
});

test("each address family has its own ranges", async () => {
  const ipv6 = world.ipv6Of(FIRST);
  for (const [list, ipv4Comes, ipv6Comes] of [
    [["::/0"], "out", "in"],
    [["0.0.0.0/0"], "in", "out"],
    [[`${ipv6}/128`], "out", "in"],
    [[`::ffff:${hextets(world.ipv4Of(FIRST))}/128`], "in", "out"],
    [["0.0.0.0/0", "::/0"], "in", "in"],
    [[], "out", "out"],
  ] as const) {
    expect(await allow(...list)).toEqual({ kind: "done" });
    expect([await tried(first), await tried(first, GATEWAY_PORT, gatewayIpv6)]).toEqual([
      ipv4Comes,
      ipv6Comes,
    ]);
  }
  expect((await observe()).allowList).toEqual([]);
});

test("sessions over IPv6 end, too", async () => {
  await allow("::/0");
  const session = await world.connect(first, gatewayIpv6, GATEWAY_PORT, "hold");
  await session.next(isIn);
  const ended = session.next(isOut);
  expect(await allow("0.0.0.0/0")).toEqual({ kind: "done" });
  await ended;
});

test("the host's own programs come in where the list covers 127.0.0.1", async () => {
  await allow("127.0.0.0/8");
  expect(await triedFromHost()).toBe("in");
  const session = await fromHost();
  const closed = once(session, "close");
  // A range around the bridge's address, by which the engine's proxy connects.
  await allow(`${world.ipv4Of(0)}/27`);
  await closed;
  expect(await triedFromHost()).toBe("out");
});

test("a change that was interrupted is not told as in force, and the next try completes it", async () => {
  await allow(firstAddress());
  // As if the change had ended before its last command.
  await askHaproxy("del map /run/told.map allowed");
  await askHaproxy(`add map /run/admitted.map ${secondAddress()} yes`);
  expect((await observe()).allowList).toBeNull();
  expect(await tried(second)).toBe("in");
  expect(await allow(firstAddress())).toEqual({ kind: "done" });
  expect((await observe()).allowList).toEqual([firstAddress()]);
  expect(await tried(second)).toBe("out");
});

test("the list outlives a restart, and nobody else slips in on the way", async () => {
  await allow(secondAddress(), firstAddress());
  await allow(secondAddress());
  const welcome = await world.connect(second, gatewayIpv4, GATEWAY_PORT, "knock");
  const unwelcome = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "knock");
  await Promise.all([welcome.next(isIn), unwelcome.next(isOut)]);
  await world.gateway.restart({ t: 0 });
  await welcome.next(isIn);
  await unwelcome.next(isOut);
  expect(unwelcome.heard.filter(isIn)).toEqual([]);
  expect((await observe()).allowList).toEqual([secondAddress()]);
});

test("sessions whose client has closed its half do not hold up a change", async () => {
  await allow(firstAddress());
  const client = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "half");
  await client.next(isIn);
  expect(await askHaproxy("show sess")).toContain(`src=${world.ipv4Of(FIRST)}:`);
  expect(await allow(secondAddress())).toEqual({ kind: "done" });
});

describe("while the primary does not answer", () => {
  test("sessions that are still connecting end as well, and none is forgotten", async () => {
    await allow(firstAddress());
    await world.primary.kill({ signal: "SIGUSR1" });
    const clients: Client[] = [];
    for (let i = 0; i < 5; i += 1)
      clients.push(await world.connect(first, gatewayIpv4, GATEWAY_PORT, "knock"));
    await Promise.all(clients.map((client) => client.next(isOut)));
    expect(await allow(secondAddress())).toEqual({ kind: "done" });
    await Promise.all(clients.map((client) => client.next(isOut)));
    await world.primary.kill({ signal: "SIGUSR2" });
    await expect.poll(() => tried(second), SOON).toBe("in");
    for (const { heard } of clients) expect(heard.filter(({ word }) => word === "hangs")).toEqual([]);
    expect(await askHaproxy("show sess")).not.toContain(`src=${world.ipv4Of(FIRST)}:`);
  });

  test("a connection that is on its way to it waits for the next one", async () => {
    await allow(firstAddress());
    await world.primary.kill({ signal: "SIGUSR1" });
    const client = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "once");
    await expect.poll(sessions, SOON).toContain("fe=endpoint be=members");
    await world.primary.kill({ signal: "SIGHUP" });
    await tellMemberDead(gatewayIpv4, world.ipv4Of(PRIMARY));
    await expect.poll(sessions, SOON).toContain("fe=endpoint be=members srv=waiting-room");
    await world.primary.kill({ signal: "SIGUSR2" });
    await elect();
    expect((await client.first()).word).toBe("in");
  });
});

describe("while nobody leads", () => {
  beforeEach(async () => {
    await allow(firstAddress());
    await resign();
  });

  afterEach(elect);

  test("a connection waits, and goes on the moment there is a primary", async () => {
    const client = await waiting(first);
    const elected = Date.now();
    await elect();
    const { word, atMs } = await client.first();
    expect(word).toBe("in");
    expect(atMs - elected).toBeLessThan(AT_ONCE_MS);
  });

  test("who may not connect is refused at once", async () => {
    const asked = Date.now();
    const client = await world.connect(second, gatewayIpv4, GATEWAY_PORT, "once");
    const { word, atMs } = await client.first();
    expect(word).toBe("out");
    expect(atMs - asked).toBeLessThan(AT_ONCE_MS);
  });

  test("who may no longer connect does not wait any longer", async () => {
    const client = await waiting(first);
    const ended = client.first();
    expect(await allow(secondAddress())).toEqual({ kind: "done" });
    expect((await ended).word).toBe("out");
  });

  test("a client that goes leaves nothing behind", async () => {
    await allow("127.0.0.1/32");
    const client = await fromHost();
    await expect.poll(sessions, SOON).toContain("fe=endpoint");
    client.destroy();
    await expect.poll(sessions, SOON).not.toContain("fe=endpoint");
  });

  test("a connection does not wait forever", async () => {
    await allow("127.0.0.1/32");
    const begun = performance.now();
    const client = await fromHost();
    await once(client, "close");
    const waitedMs = performance.now() - begun;
    expect(waitedMs).toBeGreaterThan(PATIENCE_MS - 100);
    expect(waitedMs).toBeLessThan(2 * PATIENCE_MS);
  });

  test("a gateway that starts leads to no member before that says to be the primary", async () => {
    await world.gateway.restart({ t: 0 });
    await expect.poll(state, SOON).toMatchObject({ members: [] });
    const client = await waiting(first);
    await elect();
    expect((await client.first()).word).toBe("in");
  });
});

describe("while the host holds the door", () => {
  beforeEach(async () => {
    await allow(firstAddress());
  });

  test("new connections wait until it lets go, and who is in notices nothing", async () => {
    const session = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "hold");
    await session.next(isIn);
    const client = await waitingAtTheDoor();
    await session.next(isIn);
    expect(client.heard).toEqual([]);
    const released = Date.now();
    await releaseDoor(gatewayIpv4);
    const { word, atMs } = await client.first();
    expect(word).toBe("in");
    expect(atMs - released).toBeLessThan(AT_ONCE_MS);
    expect(session.heard.filter((each) => !isIn(each))).toEqual([]);
  });

  test("a hold ends by itself", async () => {
    const held = Date.now();
    await holdDoor(gatewayIpv4, 1_000);
    const client = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "once");
    const { word, atMs } = await client.first();
    expect(word).toBe("in");
    expect(atMs - held).toBeGreaterThanOrEqual(1_000);
  });

  test("the end of an earlier hold is not the end of a later one", async () => {
    const held = Date.now();
    await holdDoor(gatewayIpv4, 200);
    await holdDoor(gatewayIpv4, 1_200);
    const client = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "once");
    expect((await client.first()).atMs - held).toBeGreaterThanOrEqual(1_200);
  });

  test("the time that it is held is not taken from the time to wait for a primary", async () => {
    const client = await waitingAtTheDoor();
    await resign();
    await releaseDoor(gatewayIpv4);
    await elect();
    expect((await client.first()).word).toBe("in");
  });

  test("nobody can hold it longer than is good", async () => {
    await expect(holdDoor(gatewayIpv4, LONGEST_HOLD_MS + 1)).rejects.toThrow("400");
    expect(await tried(first)).toBe("in");
  });
});

test("tells to whom it leads, and leads no more to one that is said to be dead", async () => {
  await allow(firstAddress());
  await expect.poll(async () => leadsOnlyTo(await state(), world.ipv4Of(PRIMARY)), SOON).toBe(true);
  expect(leadsOnlyTo(await state(), world.ipv4Of(FIRST))).toBe(false);
  await world.primary.pause();
  // A check that was under way may have the last word, once.
  const told: (GatewayState | null)[] = [];
  for (let tells = 0; tells < 3; tells += 1) {
    await tellMemberDead(gatewayIpv4, world.ipv4Of(PRIMARY));
    told.push(await state());
  }
  expect(told).toContainEqual(expect.objectContaining({ members: [] }));
  await world.primary.unpause();
  await expect.poll(state, SOON).toMatchObject({ members: [world.ipv4Of(PRIMARY)] });
});

test("what it tells of itself is for the host alone", async () => {
  const { output } = await runIn(
    first,
    ["python3", "-c", `import urllib.request as r; r.urlopen("http://${gatewayIpv4}:8404/", timeout=20)`],
    COMMAND_TIMEOUT_MS,
  );
  expect(output).toMatch(/reset|closed|refused/i);
});

async function tried(from: Docker.Container, port = GATEWAY_PORT, host = gatewayIpv4): Promise<string> {
  const client = await world.connect(from, host, port, "once");
  return (await client.first()).word;
}

const state = (): Promise<GatewayState | null> => readGatewayState(gatewayIpv4);
const sessions = () => askHaproxy("show sess");

/** The member says that it leads no more, and the gateway knows. */
async function resign(): Promise<void> {
  await world.primary.kill({ signal: "SIGHUP" });
  await expect.poll(state, SOON).toMatchObject({ members: [] });
}

async function elect(): Promise<void> {
  await world.primary.kill({ signal: "SIGALRM" });
}

/** A client whose connection the gateway has taken, and leads nowhere. */
async function waiting(from: Docker.Container): Promise<Client> {
  const client = await world.connect(from, gatewayIpv4, GATEWAY_PORT, "once");
  await expect.poll(sessions, SOON).toContain(WAITS);
  expect(client.heard).toEqual([]);
  return client;
}

/** A client that has come while the host holds the door, which it goes on doing for as long as it may. */
async function waitingAtTheDoor(): Promise<Client> {
  await holdDoor(gatewayIpv4, LONGEST_HOLD_MS);
  const client = await world.connect(first, gatewayIpv4, GATEWAY_PORT, "once");
  await expect.poll(sessions, SOON).toContain(WAITS);
  await holdDoor(gatewayIpv4, LONGEST_HOLD_MS);
  return client;
}

async function fromHost(): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: world.identity.port });
  await once(socket, "connect");
  return socket;
}

/** The engine's proxy takes every connection; whether it leads anywhere shows only afterwards. */
async function triedFromHost(): Promise<"in" | "out"> {
  const socket = await fromHost();
  socket.write("x");
  const answered = await Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return answered ? "in" : "out";
}

async function askHaproxy(command: string): Promise<string> {
  const program = `import socket; s = socket.socket(socket.AF_UNIX); s.connect("/run/haproxy.sock"); s.sendall(b"${command}\\n"); print(b"".join(iter(lambda: s.recv(65536), b"")).decode())`;
  return (await runIn(world.gateway, ["python3", "-c", program], COMMAND_TIMEOUT_MS)).output;
}

function hextets(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
