import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createEncryption } from "./encryption.ts";

const encryption = createEncryption(randomBytes(32));

describe("an envelope", () => {
  test("opens for the purpose it was sealed for", () => {
    expect(encryption.open(encryption.seal("gehört mir", "service a"), "service a")).toBe("gehört mir");
  });

  test("does not open for another purpose", () => {
    const envelope = encryption.seal("text", "service a");
    expect(() => encryption.open(envelope, "service b")).toThrow(/authenticate/);
  });

  test("does not open with another master key", () => {
    const envelope = encryption.seal("text", "a");
    expect(() => createEncryption(randomBytes(32)).open(envelope, "a")).toThrow(/authenticate/);
  });

  test("does not open when any byte of it was changed", () => {
    const envelope = encryption.seal("text", "a");
    for (let index = 0; index < envelope.length; index += 1) {
      const changed = Buffer.from(envelope);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => encryption.open(changed, "a"), `byte ${index}`).toThrow(/authenticate|no envelope/);
    }
  });

  test("does not open when it was cut short", () => {
    const envelope = encryption.seal("", "a");
    expect(() => encryption.open(envelope.subarray(0, envelope.length - 1), "a")).toThrow(/no envelope/);
  });

  test("is another each time, and does not show what is in it", () => {
    expect(encryption.seal("text", "a")).not.toEqual(encryption.seal("text", "a"));
    expect(encryption.seal("plainly visible", "a").includes("visible")).toBe(false);
  });
});

test("a master key of another length is refused", () => {
  expect(() => createEncryption(Buffer.alloc(31))).toThrow(/32 bytes/);
});
