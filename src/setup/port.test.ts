import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { PortUnavailable, requirePort } from "./port.ts";

test("a port that another program has is told, with the setting that chooses another", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  if (address === null || typeof address === "string") throw new Error("it listens on no port");
  const { port } = address;
  await expect(requirePort("127.0.0.1", port)).rejects.toThrow(PortUnavailable);
  await expect(requirePort("127.0.0.1", port)).rejects.toThrow(`HOWDAH_PORT=${port + 1}`);
  other.close();
  await once(other, "close");
  await requirePort("127.0.0.1", port);
});

test("an address that the machine does not have is told", async () => {
  await expect(requirePort("192.0.2.1", 8420)).rejects.toThrow(/no address 192\.0\.2\.1.*HOWDAH_HOST/s);
});
