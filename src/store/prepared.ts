/** Statements that are prepared by name: the server parses and plans each of them once a connection. */
import type { Pool, PoolClient } from "pg";

/** Far more than the program has; a text that is made up at run time must not fill the server's memory. */
const MOST_STATEMENTS = 500;

/** The pool as the query builder sees it, whose texts are few and always the same. */
export function preparing(pool: Pool): Pool {
  const names = new Map<string, string>();
  const clients = new WeakMap<PoolClient, PoolClient>();

  return withMethod(pool, "connect", async () => {
    const client = await pool.connect();
    const known = clients.get(client);
    if (known) return known;
    const prepared = withMethod(client, "query", (text: unknown, values: unknown) => {
      const statement = String(text);
      const parameters: unknown[] = Array.isArray(values) ? values : [];
      // BEGIN and its like gain nothing from it.
      const name = parameters.length === 0 ? undefined : nameOf(statement);
      return name === undefined
        ? client.query(statement, parameters)
        : client.query({ name, text: statement, values: parameters });
    });
    clients.set(client, prepared);
    return prepared;
  });

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_STATEMENTS) return known;
    const name = `howdah-${names.size}`;
    names.set(text, name);
    return name;
  }
}

/** The same object, with one of its methods replaced. */
function withMethod<T extends object>(target: T, name: keyof T, method: (...args: never[]) => unknown): T {
  return new Proxy(target, {
    get(object, property) {
      if (property === name) return method;
      const value: unknown = Reflect.get(object, property, object);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
