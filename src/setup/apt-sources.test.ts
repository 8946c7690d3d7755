import { expect, test } from "vitest";
import { findDebianMirror, parseDeb822Sources, parseOneLineSources, renderSources } from "./apt-sources.ts";

const BOOKWORM = 'PRETTY_NAME="Debian"\nVERSION_CODENAME=bookworm\nID=debian\n';

test("one-line sources are read with options and comments, without source code", () => {
  const text = `
# deb http://mirror.invalid/old bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/k.gpg] http://mirror.invalid/debian bookworm main contrib # ours
deb-src http://mirror.invalid/debian bookworm main
deb http://mirror.invalid/security bookworm-security main
`;
  expect(parseOneLineSources(text)).toEqual([
    { uri: "http://mirror.invalid/debian", suite: "bookworm", components: ["main", "contrib"] },
    { uri: "http://mirror.invalid/security", suite: "bookworm-security", components: ["main"] },
  ]);
});

test("deb822 sources are read with many suites, continued lines, and comments within", () => {
  const text = `Types: deb deb-src
# a remark
URIs: http://mirror.invalid/debian
Suites: bookworm
 bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/k.gpg

Types: deb
Enabled: no
URIs: http://other.invalid/debian
Suites: bookworm
Components: main
`;
  expect(parseDeb822Sources(text)).toEqual([
    { uri: "http://mirror.invalid/debian", suite: "bookworm", components: ["main"] },
    { uri: "http://mirror.invalid/debian", suite: "bookworm-updates", components: ["main"] },
  ]);
});

test("the mirror is the one of the machine's own suite, not a third party's", () => {
  const sources = parseOneLineSources(`
deb http://third.invalid/apt stable-something main
deb http://mirror.invalid/debian bookworm main
deb http://mirror.invalid/security bookworm-security main`);
  expect(findDebianMirror(sources, BOOKWORM)).toEqual({
    main: "http://mirror.invalid/debian",
    security: "http://mirror.invalid/security",
  });
});

test("a machine that is not Debian has no Debian mirror", () => {
  const sources = parseOneLineSources("deb http://mirror.invalid/ubuntu noble main");
  expect(findDebianMirror(sources, "ID=ubuntu\nVERSION_CODENAME=noble\nID_LIKE=debian\n")).toBeUndefined();
});

test("a mirror on a disk of the machine is of no use inside a build", () => {
  const sources = parseOneLineSources("deb file:///srv/debian bookworm main");
  expect(findDebianMirror(sources, BOOKWORM)).toBeUndefined();
});

test("sources of another suite come from the same mirror, security updates only where the machine has them", () => {
  expect(
    renderSources({ main: "http://m.invalid/debian", security: "http://m.invalid/security" }, "trixie"),
  ).toEqual([
    "deb http://m.invalid/debian trixie main",
    "deb http://m.invalid/debian trixie-updates main",
    "deb http://m.invalid/security trixie-security main",
  ]);
  expect(renderSources({ main: "http://m.invalid/debian", security: undefined }, "trixie")).toHaveLength(2);
});
