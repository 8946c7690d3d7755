/** The name of an operation, as a person would write it. Pure. */

const ABBREVIATIONS = new Map(["HA", "VPC"].map((word) => [word.toLowerCase(), word]));

/** "resizeService" → "Resize service", "setHA" → "Set HA", "createVpc" → "Create VPC" */
export function wordsOf(operation: string): string {
  const words = operation.match(/[A-Z]{2,}|[A-Z]?[a-z]+/g) ?? [operation];
  const text = words.map((word) => ABBREVIATIONS.get(word.toLowerCase()) ?? word.toLowerCase()).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
