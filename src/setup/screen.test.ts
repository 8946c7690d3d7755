import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { renderScreen } from "./screen.ts";

const facts = {
  consoleUrl: "http://127.0.0.1:8420/#/sign-in/q3Vn0Zk8sJfT1xUeHcYb5rLmWdGoPaIi7tE2R9uNw4A",
  apiUrl: "http://127.0.0.1:8420/api/v1",
  docsUrl: "http://127.0.0.1:8420/docs",
  projectId: "abcdefghij",
  credentialsFile: "/home/ann/.howdah/credentials.json",
  logFile: "/home/ann/.howdah/howdah.log",
  simulated: false,
  startedInMs: 1234,
};

test("the screen says where everything is and what to type next", () => {
  expect(renderScreen(facts)).toMatchInlineSnapshot(`
    "
    Howdah is up (1.2 s).

      Console  http://127.0.0.1:8420/#/sign-in/q3Vn0Zk8sJfT1xUeHcYb5rLmWdGoPaIi7tE2R9uNw4A
      API      http://127.0.0.1:8420/api/v1
      Docs     http://127.0.0.1:8420/docs
      Project  abcdefghij
      API key  in /home/ann/.howdah/credentials.json
      Log      /home/ann/.howdah/howdah.log

    Create a first service:

      npm run -s howdah -- service create first

    or, as any other client would:

      curl -s http://127.0.0.1:8420/api/v1/projects/abcdefghij/services \\
        -H "Authorization: Bearer $(sed -n 's/.*"api_key": "\\(.*\\)".*/\\1/p' /home/ann/.howdah/credentials.json)" \\
        -H 'Content-Type: application/json' -d '{"name": "first"}'

    Ctrl-C stops the control plane; the databases go on serving. npm run down stops them too.
    "
  `);
});

test("the key in the command is read from the file, whatever the folder is called", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "how dah's "));
  try {
    const credentialsFile = path.join(folder, "credentials.json");
    writeFileSync(credentialsFile, JSON.stringify({ project_id: "p", api_key: "hdk_a_b" }, null, 2));
    const lines = renderScreen({ ...facts, credentialsFile }).split("\n");
    const first = lines.findIndex((line) => line.startsWith("  curl"));
    const command = lines
      .slice(first, first + 3)
      .join("\n")
      .replace("curl", "printf '%s\\n'");
    const output = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    expect(output).toContain("Authorization: Bearer hdk_a_b\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a console that could not be built is not promised", () => {
  const screen = renderScreen({ ...facts, consoleUrl: null });
  expect(screen).toContain("not there: it could not be built");
  expect(screen).not.toContain("/#/");
});
