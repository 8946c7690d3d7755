/** How services get where they shall be: one readable timeline a scenario. */
import path from "node:path";
import { expect, test } from "vitest";
import { World } from "../support/world.ts";
import { SCENARIOS } from "./scenarios.ts";

test.each(SCENARIOS)("$name goes as written down", async ({ name, start, before, play }) => {
  const world = new World(start);
  await before?.(world);
  const shown = world.timeline.length;
  await play(world);
  const file = path.join("golden", `${name.replaceAll(" ", "-")}.txt`);
  await expect(`${world.timeline.slice(shown).join("\n")}\n`).toMatchFileSnapshot(file);
});
