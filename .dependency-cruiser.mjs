/** Which way imports may go. docs/architecture.md shows the same as a picture. */
// Reads TypeScript here. Without it nothing would be read, and nothing found.
import "@swc/core";

const TESTS = String.raw`\.test\.ts$`;

/** What a room may import beside itself, src/lib and packages. */
const ROOMS = {
  lib: ["contract"],
  contract: [],
  planner: ["contract"],
  store: ["contract"],
  "platforms/docker": ["contract", "planner", "platforms/platform.ts"],
  "platforms/simulated": ["contract", "planner", "platforms/platform.ts"],
  reconciler: ["contract", "planner", "store", "platforms/platform.ts"],
  feed: ["contract", "store"],
  webhooks: ["contract", "store"],
  telemetry: ["contract", "store", "platforms/platform.ts"],
  query: ["contract", "platforms/platform.ts"],
  api: ["contract", "planner", "store", "feed"],
  client: ["contract"],
  cli: ["contract", "client", "store"],
  setup: ["contract", "store", "platforms/docker/container.ts", "platforms/docker/names.ts"],
};

function roomRule(room, allowed) {
  const reachable = [room, ...(room === "planner" ? [] : ["lib"]), ...allowed].map((name) =>
    name.endsWith(".ts") ? name.replace(".", String.raw`\.`) : `${name}/`,
  );
  return {
    name: `from-${room.replace("/", "-")}`,
    comment: `src/${room} may import: ${[...allowed, "itself", "src/lib"].join(", ")}`,
    severity: "error",
    from: { path: `^src/${room}/`, pathNot: TESTS },
    to: { path: "^(src|test|scripts|bench|chaos)/", pathNot: `^src/(${reachable.join("|")})` },
  };
}

export default {
  forbidden: [
    ...Object.entries(ROOMS).map(([room, allowed]) => roomRule(room, allowed)),
    {
      name: "platform-interface",
      comment: "The interface that all platforms share knows none of them.",
      severity: "error",
      from: { path: String.raw`^src/platforms/platform\.ts$` },
      to: { path: "^src/", pathNot: "^src/(contract|planner|lib)/" },
    },
    {
      name: "from-console",
      comment: "The console knows the public API alone.",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^(src|test|scripts|bench|chaos)/", pathNot: "^src/(client|contract)/" },
    },
    {
      name: "pages-are-strangers",
      comment: "What two pages share belongs into console/src/ui or data.",
      severity: "error",
      from: { path: "^console/src/pages/([^/]+)/" },
      to: { path: "^console/src/pages/", pathNot: "^console/src/pages/$1/" },
    },
    {
      name: "operations-are-strangers",
      comment: "What two operations share belongs beside them, not in one of them.",
      severity: "error",
      from: { path: "^src/api/operations/", pathNot: TESTS },
      to: { path: "^src/api/operations/" },
    },
    {
      name: "planner-is-pure",
      comment: "No I/O, no clock, no randomness: the planner imports no package either.",
      severity: "error",
      from: { path: "^src/planner/", pathNot: TESTS },
      to: { dependencyTypes: ["core", "npm", "npm-dev"] },
    },
    {
      name: "client-runs-in-browsers",
      severity: "error",
      from: { path: "^src/(client|contract)/", pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "no-tests-in-the-program",
      severity: "error",
      from: { path: "^src/", pathNot: TESTS },
      to: { path: `${TESTS}|^test/` },
    },
    {
      name: "chaos-is-an-end",
      comment: "Nobody builds on it but its own tests.",
      severity: "error",
      from: { pathNot: "^(chaos|test/chaos)/" },
      to: { path: "^chaos/" },
    },
    {
      name: "no-development-packages-in-the-program",
      severity: "error",
      from: { path: "^src/", pathNot: TESTS },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-cycles",
      comment: "Types may know of each other; they are gone when the program runs.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "nothing-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"], exportsFields: ["exports"], conditionNames: ["import", "node", "types", "default"] },
  },
};
