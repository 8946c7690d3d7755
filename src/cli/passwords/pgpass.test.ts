import { expect, test } from "vitest";
import { findPassword, fitsPgpass, renderEntry, withoutService, withPassword } from "./pgpass.ts";

const DIRECT = { host: "127.0.0.1", port: 31_337 };
const POOLER = { host: "127.0.0.1", port: 31_338 };
const orders = { serviceId: "orders0000", places: [DIRECT], role: "tsdbadmin", password: "secret" };
const stock = { ...orders, serviceId: "stock00000", places: [POOLER], password: "other" };

test("a service has a line for every place where it listens", () => {
  expect(withPassword("", { ...orders, places: [DIRECT, POOLER] })).toBe(
    [
      "# howdah orders0000",
      "127.0.0.1:31337:*:tsdbadmin:secret",
      "127.0.0.1:31338:*:tsdbadmin:secret",
      "# end",
      "",
    ].join("\n"),
  );
});

test("a new password takes the place of the old one, and of that alone", () => {
  const file = withPassword(withPassword("", orders), stock);
  const changed = withPassword(file, { ...orders, password: "newer" });
  expect(findPassword(changed, "orders0000", "tsdbadmin")).toBe("newer");
  expect(findPassword(changed, "stock00000", "tsdbadmin")).toBe("other");
  expect(changed).not.toContain("secret");
});

test("a port that was another service's before is this one's now", () => {
  const file = withPassword(withPassword("", orders), { ...stock, places: [DIRECT] });
  expect(file.match(/31337/g)).toHaveLength(1);
  expect(findPassword(file, "orders0000", "tsdbadmin")).toBeNull();
});

test("a service that is forgotten leaves nothing behind", () => {
  const file = withPassword(withPassword("", orders), stock);
  expect(withoutService(file, "orders0000")).toBe(withPassword("", stock));
  expect(withoutService(withPassword("", orders), "orders0000")).toBe("");
});

test("lines of somebody else are kept, and stand after ours: the first that fits is the one that counts", () => {
  const own = "# mine\ndb.example.org:5432:*:me:pw";
  const file = withPassword(`${own}\n`, orders);
  expect(file.indexOf("# howdah")).toBe(0);
  // Appended, as people do, without a look at what is above.
  const appended = `${file}other.example.org:5432:*:me:pw2\n`;
  const left = withoutService(appended, "orders0000");
  expect(left).toBe(`${own}\nother.example.org:5432:*:me:pw2\n`);
});

test.each(["with:colon", "with\\backslash", "\\:", "ünïcödé 🐘", "#hash"])(
  "%j survives as it is",
  (password) => {
    const file = withPassword("", { ...orders, places: [{ host: "2001:db8::1", port: 5432 }], password });
    expect(findPassword(file, "orders0000", "tsdbadmin")).toBe(password);
    expect(findPassword(file, "orders0000", "reader")).toBeNull();
  },
);

test("an address with colons is written so that libpq reads it", () => {
  expect(renderEntry({ host: "2001:db8::1", port: 5432 }, "tsdbadmin", "a:b\\c")).toBe(
    "2001\\:db8\\:\\:1:5432:*:tsdbadmin:a\\:b\\\\c\n",
  );
});

test("what has no place in a line does not fit", () => {
  expect(fitsPgpass("secret")).toBe(true);
  expect(fitsPgpass("two\nlines")).toBe(false);
});
