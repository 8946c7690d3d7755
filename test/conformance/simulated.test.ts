import { Faults } from "../../src/platforms/simulated/faults.ts";
import { VirtualClock } from "../../src/platforms/simulated/simulated-clock.ts";
import { createSimulatedPlatform } from "../../src/platforms/simulated/simulated-platform.ts";
import { Simulation } from "../../src/platforms/simulated/simulation.ts";
import { platformConformance } from "./platform-conformance.ts";

platformConformance("simulated", async () => {
  const clock = new VirtualClock();
  const simulation = new Simulation(clock);
  const faults = new Faults(simulation);
  const platform = createSimulatedPlatform({ simulation });
  return {
    platform,
    pace: { now: () => clock.now(), pass: async (ms) => clock.advance(ms) },
    forgetSettings: async (serviceId, ordinal) => faults.forgetSettings(serviceId, ordinal),
    killMember: async (serviceId, ordinal) => faults.killMember(serviceId, ordinal),
    async write(serviceId) {
      if (!faults.write(serviceId)) throw new Error("the write was not acknowledged");
    },
    countWrites: async (serviceId) => simulation.read(serviceId).writes.acknowledged,
    databaseIdentity: async (serviceId) => String(simulation.read(serviceId).systemId),
    otherNetwork: async () => "apps",
    dispose: () => platform.close(),
  };
});
