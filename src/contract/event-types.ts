/** Which events somebody wants, by their types. Pure. */

const WORD = "[a-z][a-z0-9-]*";
const TYPE = `${WORD}(\\.${WORD})*(\\.\\*)?`;

/** What one wanted type looks like; for schemas. */
export const EVENT_TYPE_PATTERN = `^(\\*|${TYPE})$`;

/** Several of them, parted by commas; for queries. */
export const EVENT_TYPES_PATTERN = `^(\\*|${TYPE})(,(\\*|${TYPE})){0,19}$`;

/**
 * Whether a type is among those that are wanted. `service.resize` means itself and everything below it, such as
 * `service.resize.accepted`; `service.*` and `service` are the same; `*` is everything.
 */
export function isWanted(type: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => {
    if (pattern === "*") return true;
    const prefix = withoutStar(pattern);
    return type === prefix || type.startsWith(`${prefix}.`);
  });
}

export function withoutStar(pattern: string): string {
  return pattern.endsWith(".*") ? pattern.slice(0, -2) : pattern;
}
