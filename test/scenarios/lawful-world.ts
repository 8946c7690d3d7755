/** A simulated service whose every look and every step stands under the laws. */
import type { DesiredService } from "../../src/planner/desired.ts";
import type { Look } from "../support/converge.ts";
import { World } from "../support/world.ts";
import { checkLook, checkStep } from "./invariants.ts";

export class LawfulWorld extends World {
  constructor(desired: Partial<DesiredService> = {}, beside?: World) {
    super(desired, (step, observed, state) => checkStep(step, observed, state, this.desired), beside);
  }

  override async look(): Promise<Look> {
    const look = await super.look();
    checkLook(look, this);
    return look;
  }
}

/** Does something with a world; what it throws tells the world's whole life. */
export async function told(world: World, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    throw new Error(`after this life:\n${world.timeline.join("\n")}`, { cause });
  }
}
