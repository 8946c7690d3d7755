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
          // Bounds of what hangs, not of what is slow: other work may take the machine for a while.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
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
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
