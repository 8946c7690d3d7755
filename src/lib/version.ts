import { readFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

const Package = Type.Object({ version: Type.String() });

/** Of this program. Throws where its package.json is not what it should be. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  const found: Static<typeof Package> = Value.Parse(Package, JSON.parse(readFileSync(file, "utf8")));
  return found.version;
}
