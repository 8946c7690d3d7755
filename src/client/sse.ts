/** Reads server-sent events; https://html.spec.whatwg.org/multipage/server-sent-events.html. Pure. */

export interface Frame {
  /** The last id that was told, with this frame or before; null: none. */
  readonly id: string | null;
  /** null: there is none in it, as in a frame that tells an id alone. */
  readonly data: string | null;
  /** How long to wait before connecting again, where it says so. */
  readonly retryMs: number | null;
}

/** Feed it text as it comes; it returns what is whole by then. Comments are frames of nothing, and are not returned. */
export function createFrameReader(): (text: string) => readonly Frame[] {
  let rest = "";
  let lastId: string | null = null;
  return (text) => {
    const blocks = (rest + text).replace(/\r\n?/g, "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const fields = block.split("\n").map(fieldOf);
      const valuesOf = (name: string) =>
        fields.filter((field) => field.name === name).map(({ value }) => value);
      const [id, retry] = [valuesOf("id").at(-1), valuesOf("retry").at(-1)];
      const data = valuesOf("data");
      if (id === undefined && retry === undefined && data.length === 0) return [];
      lastId = id ?? lastId;
      return [
        {
          id: lastId,
          data: data.length === 0 ? null : data.join("\n"),
          retryMs: retry !== undefined && /^\d{1,6}$/.test(retry) ? Number(retry) : null,
        },
      ];
    });
  };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
