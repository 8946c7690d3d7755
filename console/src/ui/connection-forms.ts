/** How programs are told where a service is: one connection in the forms that people need. Pure. */

/** Of every service. */
export const DATABASE = "tsdb";
export const ADMIN_ROLE = "tsdbadmin";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly role: string;
  /** null: it is not known here, and left out. */
  readonly password: string | null;
}

interface Form {
  readonly id: string;
  readonly title: string;
  readonly render: (connection: Connection) => string;
  /** What somebody who reads the text would ask. */
  readonly note?: string;
}

/** In the order in which they are offered. */
export const FORMS = [
  { id: "psql", title: "psql", render: psql },
  { id: "uri", title: "URI", render: (connection) => uri(connection) },
  { id: "jdbc", title: "JDBC", render: jdbc },
  {
    id: "node",
    title: "Node",
    render: node,
    note: "uselibpqcompat gives sslmode=require the meaning that it has everywhere else: encrypted, whoever signed the certificate.",
  },
  { id: "python", title: "Python", render: python },
  { id: "go", title: "Go", render: go },
  { id: "env", title: ".env", render: environmentFile },
] as const satisfies readonly Form[];

export type FormId = (typeof FORMS)[number]["id"];

export function isFormId(text: string): text is FormId {
  return FORMS.some(({ id }) => id === text);
}

export function formOf(id: FormId): Form {
  return FORMS.find((form) => form.id === id) ?? FORMS[0];
}

const SSL = { sslmode: "require" };

function uri(connection: Connection, more: Readonly<Record<string, string>> = {}): string {
  const { role, password } = connection;
  const secret = password === null ? "" : `:${encode(password)}`;
  const { host, port, database } = connection;
  const query = new URLSearchParams({ ...SSL, ...more });
  return `postgres://${encode(role)}${secret}@${inAddress(host)}:${port}/${encode(database)}?${query.toString()}`;
}

/** The password goes by the environment: arguments are seen by every user of the machine. */
function psql(connection: Connection): string {
  const command = `psql ${shellQuoted(uri({ ...connection, password: null }))}`;
  return connection.password === null ? command : `PGPASSWORD=${shellQuoted(connection.password)} ${command}`;
}

function jdbc({ host, port, database, role, password }: Connection): string {
  const query = new URLSearchParams({ user: role, ...(password === null ? {} : { password }), ...SSL });
  return `jdbc:postgresql://${inAddress(host)}:${port}/${encode(database)}?${query.toString()}`;
}

function node(connection: Connection): string {
  return `import pg from "pg";

const client = new pg.Client({
  connectionString: "${uri(connection, { uselibpqcompat: "true" })}",
});
await client.connect();`;
}

function python(connection: Connection): string {
  return `import psycopg

connection = psycopg.connect("${uri(connection)}")`;
}

function go(connection: Connection): string {
  return `import "github.com/jackc/pgx/v5"

conn, err := pgx.Connect(ctx, "${uri(connection)}")`;
}

function environmentFile(connection: Connection): string {
  const { host, port, database, role, password } = connection;
  const variables: readonly (readonly [string, string])[] = [
    ["DATABASE_URL", uri(connection)],
    ["PGHOST", host],
    ["PGPORT", String(port)],
    ["PGDATABASE", database],
    ["PGUSER", role],
    ...(password === null ? [] : [["PGPASSWORD", password] as const]),
    ["PGSSLMODE", SSL.sslmode],
  ];
  return variables.map(([name, value]) => `${name}=${fileQuoted(value)}`).join("\n");
}

/** Also what encodeURIComponent leaves, and what would end a string in some language. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function inAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Most readers take what stands between single quotes as it is; one that has such a quote goes between double ones. */
function fileQuoted(value: string): string {
  if (/^[\w.:/@%-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replaceAll(/["\\$`]/g, (character) => `\\${character}`)}"`;
}
