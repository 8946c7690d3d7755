/** What is looked for among the services: read from the address, and written there. Pure. */

/** What can be chosen among. */
export const FACETS = ["status", "type", "environment", "region"] as const;
export type Facet = (typeof FACETS)[number];

export const SORTS = ["newest", "name", "status", "size", "cpu"] as const;
export type Sort = (typeof SORTS)[number];

/** As it stands in the address; what is left out restricts nothing. */
export interface ServiceSearch {
  readonly q?: string;
  readonly status?: readonly string[];
  readonly type?: readonly string[];
  readonly environment?: readonly string[];
  readonly region?: readonly string[];
  readonly sort?: Sort;
}

const LONGEST = 200;
const MOST_VALUES = 30;

/** Takes what it understands, so that any address opens the page. */
export function readSearch(search: Readonly<Record<string, unknown>>): ServiceSearch {
  const { q, sort } = search;
  const facets = FACETS.flatMap((facet) => {
    const values = wordsIn(search[facet]);
    return values.length === 0 ? [] : [[facet, values] as const];
  });
  const known = SORTS.find((one) => one === sort && one !== "newest");
  return {
    ...(typeof q === "string" && q !== "" ? { q: q.slice(0, LONGEST) } : {}),
    ...Object.fromEntries(facets),
    ...(known ? { sort: known } : {}),
  };
}

function wordsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const words = list.filter((word) => typeof word === "string" && word !== "");
  return [...new Set(words.map(String))].slice(0, MOST_VALUES);
}

/** With one facet as chosen now; none chosen is no restriction. */
export function withFacet(search: ServiceSearch, facet: Facet, values: readonly string[]): ServiceSearch {
  const { [facet]: _before, ...others } = search;
  return values.length === 0 ? others : { ...others, [facet]: values };
}

export function isFiltered(search: ServiceSearch): boolean {
  return search.q !== undefined || FACETS.some((facet) => search[facet] !== undefined);
}
