/** The screen that a start ends with. Pure. */
export interface ScreenFacts {
  /** Signs in, where there is a key to sign in with. Null: the console could not be built. */
  readonly consoleUrl: string | null;
  readonly apiUrl: string;
  readonly docsUrl: string;
  readonly projectId: string;
  readonly credentialsFile: string;
  /** Null where the log goes to the terminal itself. */
  readonly logFile: string | null;
  readonly simulated: boolean;
  /** Milliseconds. */
  readonly startedInMs: number;
}

export function renderScreen(facts: ScreenFacts): string {
  const rows: readonly (readonly [string, string])[] = [
    ["Console", facts.consoleUrl ?? "not there: it could not be built, and the log tells why"],
    ["API", facts.apiUrl],
    ["Docs", facts.docsUrl],
    ["Project", facts.projectId],
    ["API key", `in ${facts.credentialsFile}`],
    ...(facts.logFile === null ? [] : [["Log", facts.logFile] as const]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const seconds = (facts.startedInMs / 1_000).toFixed(1);
  return [
    "",
    `Howdah is up (${seconds} s).`,
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    "",
    "Create a first service:",
    "",
    "  npm run -s howdah -- service create first",
    "",
    "or, as any other client would:",
    "",
    renderCurl(facts),
    "",
    facts.simulated
      ? "The platform is simulated: no databases are behind the endpoints, and it forgets its services when it ends."
      : "Ctrl-C stops the control plane; the databases go on serving. npm run down stops them too.",
    "",
  ].join("\n");
}

/** Works where it is pasted, without the key ever being on the screen. */
function renderCurl({ apiUrl, projectId, credentialsFile }: ScreenFacts): string {
  const key = `$(sed -n 's/.*"api_key": "\\(.*\\)".*/\\1/p' ${quote(credentialsFile)})`;
  return [
    `  curl -s ${apiUrl}/projects/${projectId}/services \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    `    -H 'Content-Type: application/json' -d '{"name": "first"}'`,
  ].join("\n");
}

function quote(file: string): string {
  return /^[\w./~-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
