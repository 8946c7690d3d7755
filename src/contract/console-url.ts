/**
 * Where the console is, from the API's address up to its version: it is served beside the API, below the same prefix.
 *
 * @param token of a sign-in link; null: it asks for a key. It stands in the fragment, which no server is sent.
 */
export function consoleUrl(apiUrl: string, token: string | null): string {
  const root = apiUrl.replace(/\/+$/, "").replace(/(\/api)?\/v\d+$/, "");
  return token === null ? `${root}/` : `${root}/#/sign-in/${token}`;
}
