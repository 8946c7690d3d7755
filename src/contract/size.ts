/**
 * The sizes a service can have, and how the two strings of a request name one of them.
 */
export type Size = SharedSize | DedicatedSize;

/** No CPU quota of its own but a low weight, and a fixed amount of memory. */
export interface SharedSize {
  readonly kind: "shared";
}

export interface DedicatedSize {
  readonly kind: "dedicated";
  /** Thousandths of a core. */
  readonly cpuMillis: number;
  /** Gibibytes; the public API calls them gigabytes. */
  readonly memoryGbs: number;
}

export const SHARED_SIZE: SharedSize = { kind: "shared" };

/** The dedicated sizes on offer where the operator configures none, smallest first. */
export const DEFAULT_SIZES = "500/2,1000/4,2000/8,4000/16,8000/32,16000/64,32000/128";

export interface SizeRequest {
  readonly cpu_millis?: string;
  readonly memory_gbs?: string;
}

export type SizeChoice =
  | { readonly kind: "none" }
  | { readonly kind: "size"; readonly size: Size }
  | { readonly kind: "refused"; readonly message: string };

/**
 * Parses a list such as `500/2,1000/4` (cpu_millis/memory_gbs).
 * Throws an Error that names the entry which cannot be read.
 */
export function parseSizes(list: string): readonly DedicatedSize[] {
  const sizes = list.split(",").map((entry): DedicatedSize => {
    const match = /^\s*([1-9]\d{0,6})\/([1-9]\d{0,4})\s*$/.exec(entry);
    if (!match)
      throw new Error(`"${entry.trim()}" is not a size; write cpu_millis/memory_gbs, such as 500/2`);
    return { kind: "dedicated", cpuMillis: Number(match[1]), memoryGbs: Number(match[2]) };
  });
  return sizes.sort((a, b) => a.memoryGbs - b.memoryGbs || a.cpuMillis - b.cpuMillis);
}

/**
 * Finds the size that a request means. One value alone implies its pair (the smallest size that has it);
 * a combination that is not on offer is refused with the list of those that are.
 *
 * @param sharedAllowed a resize takes no `shared`
 */
export function chooseSize(
  request: SizeRequest,
  sizes: readonly DedicatedSize[],
  sharedAllowed: boolean,
): SizeChoice {
  const { cpu_millis: cpu, memory_gbs: memory } = request;
  if (cpu === undefined && memory === undefined) return { kind: "none" };
  if ((cpu ?? "shared") === "shared" && (memory ?? "shared") === "shared") {
    return sharedAllowed
      ? { kind: "size", size: SHARED_SIZE }
      : refused("a service cannot be resized to shared", sizes, sharedAllowed);
  }
  const size = sizes.find(
    (candidate) =>
      (cpu === undefined || cpu === String(candidate.cpuMillis)) &&
      (memory === undefined || memory === String(candidate.memoryGbs)),
  );
  if (size) return { kind: "size", size };
  const asked = [
    ...(cpu === undefined ? [] : [`cpu_millis "${cpu}"`]),
    ...(memory === undefined ? [] : [`memory_gbs "${memory}"`]),
  ].join(" with ");
  return refused(`${asked} is not a size on offer`, sizes, sharedAllowed);
}

/** As the list of sizes on offer writes it: thousandths of a core, GB. */
export function sizeNotation(size: Size): string {
  return size.kind === "shared" ? "shared" : `${size.cpuMillis}/${size.memoryGbs}`;
}

export function sizeInWords(size: Size): string {
  return size.kind === "shared" ? "a shared CPU" : `${size.cpuMillis / 1_000} CPU and ${size.memoryGbs} GB`;
}

function refused(what: string, sizes: readonly DedicatedSize[], sharedAllowed: boolean): SizeChoice {
  const offered = [...(sharedAllowed ? [SHARED_SIZE] : []), ...sizes].map(sizeNotation).join(", ");
  return { kind: "refused", message: `${what}; choose cpu_millis/memory_gbs from: ${offered}` };
}
