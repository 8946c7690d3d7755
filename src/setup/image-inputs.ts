import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pack } from "tar-stream";

/** One file that goes into the service image. */
export interface ImageInput {
  /** Below image/, with forward slashes. */
  readonly path: string;
  readonly executable: boolean;
  readonly content: Buffer;
}

const TAG_LENGTH = 12;

/** All files below a folder in a stable order, so that equal content gives an equal digest anywhere. */
export async function readImageInputs(folder: string): Promise<ImageInput[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const inputs: ImageInput[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join("/");
    if (!isInput(name)) continue;
    const { mode } = await lstat(file);
    inputs.push({ path: name, executable: (mode & 0o100) !== 0, content: await readFile(file) });
  }
  return inputs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Leaves out what programs and editors drop beside the sources: it would rebuild the image for nothing. */
export function isInput(name: string): boolean {
  return !name
    .split("/")
    .some((part) => part === "__pycache__" || part === ".DS_Store" || /~$|\.sw[a-p]$/.test(part));
}

/** SHA-256 over names, modes and contents; lengths keep two neighbours from reading as one. */
export function digestInputs(inputs: readonly ImageInput[]): string {
  const hash = createHash("sha256");
  for (const { path: name, executable, content } of inputs) {
    hash.update(JSON.stringify([name, executable, content.length])).update(content);
  }
  return hash.digest("hex");
}

export function serviceImageReference(digestOfInputs: string): string {
  return `howdah/service:${digestOfInputs.slice(0, TAG_LENGTH)}`;
}

/** The build context: exactly what the digest covers, with modes and times that no checkout can change. */
export function packInputs(inputs: readonly ImageInput[]): NodeJS.ReadableStream {
  const archive = pack();
  const mtime = new Date(0);
  const folders = new Set(inputs.flatMap((input) => parentFolders(input.path)));
  folders.add("rootfs");
  for (const folder of [...folders].sort())
    archive.entry({ name: `${folder}/`, type: "directory", mode: 0o755, mtime });
  for (const { path: name, executable, content } of inputs) {
    archive.entry({ name, mode: executable ? 0o755 : 0o644, mtime }, content);
  }
  archive.finalize();
  return Readable.from(archive);
}

function parentFolders(name: string): string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
