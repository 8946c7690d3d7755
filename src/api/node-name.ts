/** How nodes are called in the API. Pure. */

/** As Patroni and pg_stat_replication call a member too. */
export function nodeName(ordinal: number): string {
  return `member-${ordinal}`;
}

/** The ordinal that a number or a name means; null where it is neither. */
export function ordinalOf(text: string): number | null {
  const digits = /^(?:member-)?([0-9]{1,4})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
