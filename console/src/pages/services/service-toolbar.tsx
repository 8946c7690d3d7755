/** What is shown of the services, and in which order. */
import { Button, Group, Kbd, Select, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import type { RefObject } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { FacetMenu } from "./facet-menu.tsx";
import { facetValues } from "./service-filters.ts";
import { FACETS, type Facet, isFiltered, type ServiceSearch, SORTS, withFacet } from "./service-search.ts";
import classes from "./service-toolbar.module.css";

export interface ServiceToolbarProps {
  readonly services: readonly ServiceRecord[];
  readonly search: ServiceSearch;
  readonly onChange: (search: ServiceSearch) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The way from the field into the list. */
  readonly onDown: () => void;
}

const TITLES: Readonly<Record<Facet, string>> = {
  status: "Status",
  type: "Type",
  environment: "Environment",
  region: "Region",
};

const SORT_TITLES = {
  newest: "Newest first",
  name: "By name",
  status: "Troubled first",
  size: "Largest first",
  cpu: "Busiest first",
} as const satisfies Record<(typeof SORTS)[number], string>;

export function ServiceToolbar({ services, search, onChange, field, onDown }: ServiceToolbarProps) {
  const { q = "", sort = "newest" } = search;
  const setText = (text: string) => {
    const { q: _before, ...others } = search;
    onChange(text === "" ? others : { ...others, q: text });
  };
  const setSort = (next: string | null) => {
    const { sort: _before, ...others } = search;
    const known = SORTS.find((one) => one === next);
    onChange(known && known !== "newest" ? { ...others, sort: known } : others);
  };
  return (
    <div className={classes["toolbar"]}>
      <TextInput
        ref={field}
        className={classes["search"]}
        type="search"
        aria-label="Search services"
        placeholder="Search services"
        leftSection={<Search size={15} aria-hidden />}
        rightSection={q === "" ? <Kbd size="xs">/</Kbd> : null}
        value={q}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          onDown();
        }}
      />
      <Group gap={6} className={classes["facets"]}>
        {FACETS.map((facet) => {
          const values = facetValues(services, facet, search[facet]);
          // One value is no choice.
          if (values.length < 2 && search[facet] === undefined) return null;
          return (
            <FacetMenu
              key={facet}
              title={TITLES[facet]}
              values={values}
              chosen={search[facet] ?? []}
              onChange={(chosen) => onChange(withFacet(search, facet, chosen))}
            />
          );
        })}
        {isFiltered(search) && (
          <Button
            variant="subtle"
            size="xs"
            color="gray"
            onClick={() => onChange(search.sort ? { sort: search.sort } : {})}
          >
            Clear
          </Button>
        )}
      </Group>
      <Select
        className={classes["sort"]}
        aria-label="Order"
        data={SORTS.map((value) => ({ value, label: SORT_TITLES[value] }))}
        value={sort}
        onChange={setSort}
        allowDeselect={false}
        checkIconPosition="right"
      />
    </div>
  );
}
