import { expect, test } from "vitest";
import { BadEngineAddress, engineCandidates } from "./engine-candidates.ts";

const names = (address: Parameters<typeof engineCandidates>[0]) =>
  engineCandidates(address).map(({ name }) => name);

test("without DOCKER_HOST the Docker socket comes before Podman's", () => {
  expect(names({ xdgRuntimeDir: "/run/user/1000" })).toEqual([
    "unix:///var/run/docker.sock",
    "unix:///run/podman/podman.sock",
    "unix:///run/user/1000/podman/podman.sock",
  ]);
  expect(names({})).toHaveLength(2);
});

test("a DOCKER_HOST that only repeats the default, or is empty, changes nothing", () => {
  expect(names({ dockerHost: "unix:///var/run/docker.sock" })).toEqual(names({}));
  expect(names({ dockerHost: "" })).toEqual(names({}));
});

test("a DOCKER_HOST that names another engine is the only candidate", () => {
  expect(engineCandidates({ dockerHost: "unix:///srv/d.sock" })).toMatchObject([
    { connection: { socketPath: "/srv/d.sock", host: undefined } },
  ]);
  expect(engineCandidates({ dockerHost: "tcp://10.0.0.7:2375" })).toMatchObject([
    { connection: { host: "10.0.0.7", port: "2375", protocol: "http", socketPath: undefined } },
  ]);
});

test("the port of TLS means TLS", () => {
  expect(engineCandidates({ dockerHost: "tcp://engine.invalid:2376" })).toMatchObject([
    { connection: { protocol: "https" } },
  ]);
});

test("a DOCKER_HOST that cannot be read is refused by name", () => {
  expect(() => engineCandidates({ dockerHost: "ssh://me@host" })).toThrow(BadEngineAddress);
  expect(() => engineCandidates({ dockerHost: "tcp://" })).toThrow(/DOCKER_HOST is "tcp:\/\/"/);
});
