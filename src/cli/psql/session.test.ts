import { expect, test } from "vitest";
import { type PsqlSession, sessionVariables } from "./session.ts";

const session: PsqlSession = {
  place: { host: "127.0.0.1", port: 31_337 },
  role: "tsdbadmin",
  database: "tsdb",
  readOnly: false,
  password: "secret",
  authorityFile: "/home/authority.crt",
};
const files = { passwordFile: "/home/pgpass", authorityFile: "/home/authority.crt" };

test("psql is told where, as whom and how, and never the password itself", () => {
  const variables = sessionVariables(session, files, 17);
  expect(variables).toEqual({
    PGHOST: "127.0.0.1",
    PGPORT: "31337",
    PGUSER: "tsdbadmin",
    PGDATABASE: "tsdb",
    PGCONNECT_TIMEOUT: "10",
    PGSSLMODE: "verify-full",
    PGSSLROOTCERT: "/home/authority.crt",
    PGPASSFILE: "/home/pgpass",
  });
  expect(JSON.stringify(variables)).not.toContain("secret");
});

test("a read-only session is asked for as the service knows it", () => {
  expect(sessionVariables({ ...session, readOnly: true }, files, 17)).toMatchObject({
    PGOPTIONS: "-c tsdb_admin.read_only_connection=true",
  });
});

test("without a password or an authority, psql is left to its own ways, but never without TLS", () => {
  const variables = sessionVariables(session, { passwordFile: null, authorityFile: null }, 17);
  expect(variables).not.toHaveProperty("PGPASSFILE");
  expect(variables).not.toHaveProperty("PGSSLROOTCERT");
  expect(variables["PGSSLMODE"]).toBe("require");
});

test.each([
  ["127.0.0.1", 14, "verify-ca"],
  ["2001:db8::1", 13, "verify-ca"],
  ["db.example.org", 13, "verify-full"],
  ["127.0.0.1", 15, "verify-full"],
])("%s is verified by psql %i with %s", (host, major, mode) => {
  const place = { host, port: 5432 };
  expect(sessionVariables({ ...session, place }, files, major)["PGSSLMODE"]).toBe(mode);
});
