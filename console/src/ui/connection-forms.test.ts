import { execFileSync } from "node:child_process";
import { Client } from "pg";
import { expect, test } from "vitest";
import { type Connection, FORMS, formOf } from "./connection-forms.ts";

const PLAIN: Connection = {
  host: "db.example.test",
  port: 31_337,
  database: "tsdb",
  role: "tsdbadmin",
  password: "s3cret",
};
/** What passwords have in them that some form has to escape. */
const AWKWARD = `a'b"c\\d$e\`f%20 g+h&i?j#k/l@m:n=o!p*q(r)s;t|äß€🐘`;
const awkward: Connection = { ...PLAIN, password: AWKWARD };

const render = (id: (typeof FORMS)[number]["id"], connection: Connection) => formOf(id).render(connection);

test("every form of a plain connection reads as people write it", () => {
  const uri = "postgres://tsdbadmin:s3cret@db.example.test:31337/tsdb?sslmode=require";
  expect(render("uri", PLAIN)).toBe(uri);
  expect(render("psql", PLAIN)).toBe(
    "PGPASSWORD='s3cret' psql 'postgres://tsdbadmin@db.example.test:31337/tsdb?sslmode=require'",
  );
  expect(render("jdbc", PLAIN)).toBe(
    "jdbc:postgresql://db.example.test:31337/tsdb?user=tsdbadmin&password=s3cret&sslmode=require",
  );
  expect(render("node", PLAIN)).toContain(`connectionString: "${uri}&uselibpqcompat=true"`);
  expect(render("python", PLAIN)).toContain(`psycopg.connect("${uri}")`);
  expect(render("go", PLAIN)).toContain(`pgx.Connect(ctx, "${uri}")`);
  expect(render("env", PLAIN).split("\n")).toEqual([
    `DATABASE_URL='${uri}'`,
    "PGHOST=db.example.test",
    "PGPORT=31337",
    "PGDATABASE=tsdb",
    "PGUSER=tsdbadmin",
    "PGPASSWORD=s3cret",
    "PGSSLMODE=require",
  ]);
});

test("a URI with any password is read back as it was, and encrypts without asking who signed", () => {
  const [, text = ""] = /connectionString: "(.*)"/.exec(render("node", awkward)) ?? [];
  expect(new Client(text)).toMatchObject({
    host: awkward.host,
    port: awkward.port,
    user: awkward.role,
    password: AWKWARD,
    database: awkward.database,
    ssl: { rejectUnauthorized: false },
  });
});

test("a URI has nothing in it that ends a string of any language", () => {
  expect(render("uri", awkward)).toMatch(/^[\w.:/@%?=&~-]+$/);
  expect(new URLSearchParams(render("jdbc", awkward).split("?")[1]).get("password")).toBe(AWKWARD);
});

test("a shell gives psql the password as it is", () => {
  const told = render("psql", awkward).replace(/ psql .*$/s, ` node -p 'process.env.PGPASSWORD'`);
  expect(execFileSync("/bin/sh", ["-c", told], { encoding: "utf8" })).toBe(`${AWKWARD}\n`);
});

test("an environment file is read back as it was", () => {
  const simple = { ...PLAIN, password: "with space#and$dollar" };
  expect(render("env", simple)).toContain("PGPASSWORD='with space#and$dollar'");
  const told = `set -a\n${render("env", awkward)}\nnode -p 'process.env.PGPASSWORD + process.env.DATABASE_URL'`;
  expect(execFileSync("/bin/sh", ["-c", told], { encoding: "utf8" })).toBe(
    `${AWKWARD}${render("uri", awkward)}\n`,
  );
});

test("without a password nothing stands in its place", () => {
  for (const { render: each } of FORMS)
    expect(each({ ...PLAIN, password: null })).not.toMatch(/password|null|:@/i);
});

test("an address of IPv6 stands in brackets", () => {
  const local = { ...PLAIN, host: "::1" };
  expect(render("uri", local)).toContain("@[::1]:31337/");
  expect(render("jdbc", local)).toContain("//[::1]:31337/");
  expect(render("env", local)).toContain("PGHOST=::1\n");
});
