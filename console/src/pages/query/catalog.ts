/** Tables and columns of a database, for what the editor suggests. */
import type { SQLNamespace } from "@codemirror/lang-sql";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { QueryRecord } from "../../../../src/client/index.ts";

export const MOST_TABLES = 2_000;

/** What whoever asks may read, without the inner tables of PostgreSQL and TimescaleDB. */
export const CATALOG_QUERY = `
  select n.nspname, c.relname, json_agg(a.attname order by a.attnum)
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relkind in ('r', 'v', 'm', 'f', 'p')
     and n.nspname !~ '^(pg_|information_schema$|_timescaledb|timescaledb_)'
     and has_schema_privilege(n.oid, 'usage')
   group by n.nspname, c.relname
   order by n.nspname, c.relname
   limit ${MOST_TABLES}`;

const Columns = Type.Array(Type.String());

export function readCatalog({ results }: QueryRecord): SQLNamespace {
  const schemas: Record<string, Record<string, string[]>> = {};
  for (const [schema, table, columns] of results[0]?.rows ?? []) {
    if (!schema || !table || !columns) continue;
    const names: unknown = JSON.parse(columns);
    if (Value.Check(Columns, names)) (schemas[schema] ??= {})[table] = names;
  }
  return schemas;
}
