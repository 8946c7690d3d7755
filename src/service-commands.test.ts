/** Which API the commands ask, over a real connection. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { BASE, openTestApi } from "../test/support/api.ts";
import { loadConfig } from "./lib/config.ts";
import { listServicesWithin, openServiceCli } from "./service-commands.ts";
import { writeCredentialsFile } from "./setup/credentials-file.ts";

const api = await openTestApi();
const url = `${await api.app.listen({ port: 0, host: "127.0.0.1" })}${BASE}`;
// A client keeps its connections open, and the app would wait for them.
afterAll(() => api.app.server.closeAllConnections());
const folder = await mkdtemp(path.join(tmpdir(), "howdah-home-"));
afterAll(() => rm(folder, { recursive: true }));
await api.create({ name: "orders" });

const environment = {
  HOWDAH_HOME: path.join(folder, "none"),
  HOWDAH_API_URL: url,
  HOWDAH_API_KEY: api.key.apiKey,
};
const credentials = {
  api_url: url,
  project_id: api.projectId,
  api_key: api.key.apiKey,
  public_key: "unused",
  secret_key: "unused",
};

async function homeOf(name: string): Promise<string> {
  const home = path.join(folder, name);
  await mkdir(home);
  await writeCredentialsFile(home, credentials);
  return home;
}

const namesAt = async (settings: Record<string, string>) => {
  const { client } = await openServiceCli(loadConfig(settings));
  return (await client.listServices()).map(({ name }) => name);
};

test("a key is enough: it knows its project", async () => {
  expect(await namesAt(environment)).toEqual(["orders"]);
  expect(await namesAt({ ...environment, HOWDAH_PROJECT_ID: api.projectId })).toEqual(["orders"]);
});

test("without a key, the installation on this machine is asked", async () => {
  expect(await namesAt({ HOWDAH_HOME: await homeOf("local") })).toEqual(["orders"]);
});

test("the key of this machine's installation is never sent to some other address", async () => {
  const home = await homeOf("kept");
  const elsewhere = { HOWDAH_HOME: home, HOWDAH_API_URL: "http://127.0.0.1:1/api/v1" };
  await expect(openServiceCli(loadConfig(elsewhere))).rejects.toThrow("HOWDAH_API_KEY");
});

test("where there is neither, it is told how to come by one", async () => {
  const nowhere = loadConfig({ HOWDAH_HOME: path.join(folder, "none") });
  await expect(openServiceCli(nowhere)).rejects.toThrow("npm start");
});

test("certificates are held to the authority of the installation that is asked, and to no other", async () => {
  const home = await homeOf("authority");
  const file = path.join(home, "authority.crt");
  expect((await openServiceCli(loadConfig({ HOWDAH_HOME: home }))).authorityFile).toBeNull();
  await writeFile(file, "a certificate");
  expect((await openServiceCli(loadConfig({ HOWDAH_HOME: home }))).authorityFile).toBe(file);
  const elsewhere = loadConfig({ ...environment, HOWDAH_HOME: home });
  expect((await openServiceCli(elsewhere)).authorityFile).toBeNull();
});

test("completion gets names, or gives up soon", async () => {
  expect(await listServicesWithin(loadConfig(environment), 60_000)).toMatchObject([{ name: "orders" }]);
  await expect(listServicesWithin(loadConfig(environment), 0)).rejects.toThrow("timeout");
});
