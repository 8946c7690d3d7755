/** One suite of one archive, as apt's source files name it. */
export interface AptSource {
  readonly uri: string;
  readonly suite: string;
  readonly components: readonly string[];
}

/** Where a machine gets its own distribution from. */
export interface DebianMirror {
  readonly main: string;
  /** Undefined where the machine takes no security updates. */
  readonly security: string | undefined;
}

/** The one-line format: `deb [options] uri suite component…`; sources of source code are left out. */
export function parseOneLineSources(text: string): AptSource[] {
  return text.split("\n").flatMap((line) => {
    const content = line.replace(/#.*$/, "").trim();
    const [, uri, suite, components] =
      /^deb\s+(?:\[[^\]]*\]\s*)?(\S+)\s+(\S+)(?:\s+(.*))?$/.exec(content) ?? [];
    if (uri === undefined || suite === undefined) return [];
    return [{ uri, suite, components: words(components ?? "") }];
  });
}

/** The deb822 format: paragraphs of `Field: value`, lists by blanks, a line that begins with a blank goes on. */
export function parseDeb822Sources(text: string): AptSource[] {
  const uncommented = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n");
  return uncommented.split(/\n[ \t]*\n/).flatMap((paragraph) => {
    const fields = parseFields(paragraph);
    const list = (name: string) => words(fields.get(name) ?? "");
    const disabled = ["no", "false", "0", "off"].includes((fields.get("enabled") ?? "yes").toLowerCase());
    if (disabled || !list("types").includes("deb")) return [];
    return list("uris").flatMap((uri) =>
      list("suites").map((suite) => ({ uri, suite, components: list("components") })),
    );
  });
}

function parseFields(paragraph: string): Map<string, string> {
  const fields = new Map<string, string>();
  let latest = "";
  for (const line of paragraph.split("\n")) {
    const [, name, value] = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      latest = name.toLowerCase();
      fields.set(latest, value.trim());
    } else if (/^[ \t]/.test(line) && latest !== "") {
      fields.set(latest, `${fields.get(latest) ?? ""} ${line.trim()}`.trim());
    }
  }
  return fields;
}

/**
 * The mirror of a Debian machine, undefined on any other: a derivative's archive has no Debian suites.
 * @param osRelease text of /etc/os-release
 */
export function findDebianMirror(sources: readonly AptSource[], osRelease: string): DebianMirror | undefined {
  const setting = (name: string) => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(osRelease)?.[1];
  if (setting("ID") !== "debian") return undefined;
  const codename = setting("VERSION_CODENAME") ?? "";
  const uriOf = (...suites: string[]) =>
    sources.find(
      ({ uri, suite, components }) =>
        /^https?:\/\//.test(uri) && suites.includes(suite) && components.includes("main"),
    )?.uri;
  const main = uriOf(codename, "stable", "testing", "unstable", "sid");
  if (main === undefined) return undefined;
  return { main, security: uriOf(`${codename}-security`, "stable-security", "testing-security") };
}

/** What a machine of another suite would have in its sources, from the same mirror. */
export function renderSources(mirror: DebianMirror, suite: string): string[] {
  const lines = [`deb ${mirror.main} ${suite} main`, `deb ${mirror.main} ${suite}-updates main`];
  if (mirror.security !== undefined) lines.push(`deb ${mirror.security} ${suite}-security main`);
  return lines;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
