import { expect, test } from "vitest";
import { describeBuild } from "./service-image.ts";

test("each line of a build comes with the step it belongs to", () => {
  const told: string[] = [];
  const report = describeBuild((line) => told.push(line));
  for (const line of ["preparing", "Step 4/7 : RUN apt-get", "Setting up patroni"]) report(line);
  expect(told).toEqual(["preparing", "Step 4/7 : RUN apt-get", "step 4/7  Setting up patroni"]);
});
