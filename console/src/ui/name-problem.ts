/** What the API refuses as the name of a service or of a VPC. Pure. */

export const LONGEST_NAME = 128;

/** As the API would refuse it; null: it would not. */
export function nameProblem(name: string, missing = "A service needs a name."): string | null {
  if (name === "") return missing;
  if (Array.from(name).length > LONGEST_NAME) return `At most ${LONGEST_NAME} characters.`;
  // PostgreSQL stores neither of them.
  if (name.includes("\0") || /\p{Cs}/u.test(name)) return "It has a character in it that cannot be stored.";
  return null;
}
