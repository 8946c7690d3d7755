/**
 * The file in which PostgreSQL's programs look up passwords, with a block a service. Pure.
 *
 *     # howdah k3v9x0q2ab
 *     127.0.0.1:31337:*:tsdbadmin:…
 *     # end
 *
 * Lines of somebody else are kept, after ours: the first line that fits is the one that counts.
 */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface ServicePassword {
  readonly serviceId: string;
  readonly places: readonly Place[];
  readonly role: string;
  readonly password: string;
}

interface Block {
  readonly serviceId: string;
  readonly entries: readonly string[];
}

interface File {
  readonly blocks: readonly Block[];
  readonly others: readonly string[];
}

const HEADING = /^# howdah ([a-z0-9]+)$/;
/** Without it, what somebody appends to the file would be taken for the last block's. */
const ENDING = "# end";

/** Puts a service's password in place of what was there. */
export function withPassword(text: string, given: ServicePassword): string {
  const { blocks, others } = parse(text);
  // A port is given out again after its service is gone.
  const taken = new Set(given.places.map((place) => keyOf(place, given.role)));
  const rest = blocks
    .filter(({ serviceId }) => serviceId !== given.serviceId)
    .map((block) => ({ ...block, entries: block.entries.filter((entry) => !taken.has(keyIn(entry))) }));
  const entries = given.places.map((place) => `${keyOf(place, given.role)}:${escape(given.password)}`);
  return render({ blocks: [...rest, { serviceId: given.serviceId, entries }], others });
}

export function withoutService(text: string, serviceId: string): string {
  const { blocks, others } = parse(text);
  return render({ blocks: blocks.filter((block) => block.serviceId !== serviceId), others });
}

/** What is kept of a service for that role, wherever it listens. */
export function findPassword(text: string, serviceId: string, role: string): string | null {
  const block = parse(text).blocks.find((one) => one.serviceId === serviceId);
  for (const entry of block?.entries ?? []) {
    const fields = fieldsOf(entry);
    if (fields.length === 5 && fields[3] === role) return fields[4] ?? null;
  }
  return null;
}

/** Whether the file's form can hold it at all. */
export function fitsPgpass(password: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\n\r\u0000]/.test(password);
}

/** A single entry, as a file of its own. */
export function renderEntry(place: Place, role: string, password: string): string {
  return `${keyOf(place, role)}:${escape(password)}\n`;
}

function keyOf({ host, port }: Place, role: string): string {
  return [escape(host), port, "*", escape(role)].join(":");
}

function keyIn(entry: string): string {
  return fieldsOf(entry).slice(0, 4).map(escape).join(":");
}

/** Colons part fields; a backslash takes the next character as it is. */
function fieldsOf(entry: string): string[] {
  const fields = [""];
  for (const [piece] of entry.matchAll(/\\[^]|[^]/gu)) {
    if (piece === ":") fields.push("");
    else
      fields.push(
        (fields.pop() ?? "") + (piece.length > 1 && piece.startsWith("\\") ? piece.slice(1) : piece),
      );
  }
  return fields;
}

function escape(field: string): string {
  return field.replaceAll(/[\\:]/g, (character) => `\\${character}`);
}

function parse(text: string): File {
  const blocks: { serviceId: string; entries: string[] }[] = [];
  const others: string[] = [];
  let block: { serviceId: string; entries: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const serviceId = HEADING.exec(line)?.[1];
    if (serviceId !== undefined) {
      block = { serviceId, entries: [] };
      blocks.push(block);
    } else if (block && line === ENDING) block = null;
    else if (line !== "") (block?.entries ?? others).push(line);
  }
  return { blocks, others };
}

function render({ blocks, others }: File): string {
  const parts = blocks
    .filter(({ entries }) => entries.length > 0)
    .map(({ serviceId, entries }) => [`# howdah ${serviceId}`, ...entries, ENDING].join("\n"));
  const all = others.length > 0 ? [...parts, others.join("\n")] : parts;
  return all.length === 0 ? "" : `${all.join("\n\n")}\n`;
}
