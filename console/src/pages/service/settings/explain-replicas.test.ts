import { describe, expect, it } from "vitest";
import { explainReplicas } from "./explain-replicas.ts";

describe("what replicas are good for", () => {
  it("is told plainly where there is none", () => {
    const { survives, writes } = explainReplicas(0, 0);
    expect(survives).toContain("nothing can take over");
    expect(writes).toBe("A commit waits for no replica.");
  });

  it("admits that asynchronous replicas may lose the last commits", () => {
    expect(explainReplicas(2, 0).loss).toContain("very last commits may be lost");
  });

  it("promises with a synchronous one that none is lost, and tells what that costs", () => {
    const { loss, writes } = explainReplicas(2, 1);
    expect(loss).toContain("no acknowledged commit is lost");
    expect(writes).toBe("Each commit waits for a replica: one round trip more.");
  });

  it("counts the members that may be lost", () => {
    expect(explainReplicas(1, 0).survives).toContain("the loss of one member");
    expect(explainReplicas(3, 2).survives).toContain("up to 3 members");
    expect(explainReplicas(3, 2).loss).toContain("any 2 members");
  });
});
