import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "bench/**/*.test.ts",
            "chaos/**/*.test.ts",
            "console/**/*.test.ts",
            "test/scenarios/**/*.test.ts",
          ],
          globalSetup: ["test/support/postgres.ts"],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: "integration",
          include: [
            "test/conformance/**/*.test.ts",
            "test/e2e/**/*.test.ts",
            "test/console/**/*.test.ts",
            "test/chaos/**/*.test.ts",
          ],
          globalSetup: ["test/support/postgres.ts"],
          // They share one container engine, and real databases take their time.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
