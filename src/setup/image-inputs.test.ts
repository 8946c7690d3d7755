import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { extract } from "tar-stream";
import { expect, onTestFinished, test } from "vitest";
import { digestInputs, isInput, packInputs, readImageInputs, serviceImageReference } from "./image-inputs.ts";

const input = (name: string, content: string, executable = false) => ({
  path: name,
  executable,
  content: Buffer.from(content),
});

test("the digest changes with a name, a content and an executable bit", () => {
  const variants = [
    [input("a", "1")],
    [input("b", "1")],
    [input("a", "2")],
    [input("a", "1", true)],
    [input("a", "1"), input("b", "")],
    [],
  ];
  expect(new Set(variants.map(digestInputs)).size).toBe(variants.length);
});

test("the tag is the first twelve digits of the digest", () => {
  expect(serviceImageReference("0123456789abcdef0123")).toBe("howdah/service:0123456789ab");
});

test("compiled Python and editors' leftovers are no inputs", () => {
  expect(isInput("rootfs/usr/local/lib/howdah/member.py")).toBe(true);
  expect(isInput("rootfs/usr/local/lib/howdah/__pycache__/member.cpython-313.pyc")).toBe(false);
  expect(isInput("rootfs/.member.py.swp")).toBe(false);
  expect(isInput("Dockerfile~")).toBe(false);
});

test("inputs are read in one order with their modes, and packed with their folders", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "howdah-inputs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "rootfs/usr/bin"), { recursive: true });
  await writeFile(path.join(folder, "rootfs/usr/bin/tool"), "#!/bin/sh\n");
  await chmod(path.join(folder, "rootfs/usr/bin/tool"), 0o700);
  await writeFile(path.join(folder, "Dockerfile"), "FROM scratch\n");
  const inputs = await readImageInputs(folder);
  expect(inputs.map(({ path: name, executable }) => [name, executable])).toEqual([
    ["Dockerfile", false],
    ["rootfs/usr/bin/tool", true],
  ]);

  const archive = extract();
  packInputs(inputs).pipe(archive);
  const packed: string[] = [];
  for await (const entry of archive) {
    packed.push(`${entry.header.name} ${entry.header.mode?.toString(8)}`);
    entry.resume();
  }
  expect(packed).toEqual([
    "rootfs/ 755",
    "rootfs/usr/ 755",
    "rootfs/usr/bin/ 755",
    "Dockerfile 644",
    "rootfs/usr/bin/tool 755",
  ]);
});
