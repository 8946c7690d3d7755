import { expect, test } from "vitest";
import { openTestStore } from "../../test/support/store.ts";
import { eventsAfter, lastPlace, newestPlaced, placeEvents, placeOf } from "./event-feed.ts";
import { appendEvents } from "./events.ts";
import { forgetEvents } from "./retention.ts";

const { store, projectId } = await openTestStore();
const { db } = store;
const render = () => "{}";

const happen = (message: string, on = db) =>
  appendEvents(on, [{ projectId, serviceId: null, actor: "howdah", type: "test.happened", message }]);

async function messagesAfter(place: number): Promise<readonly string[]> {
  return (await eventsAfter(db, place, 500)).map(({ message }) => message);
}

test("what commits late comes late, although its id was handed out early", async () => {
  const start = await lastPlace(db);
  const open = await db.startTransaction().execute();
  await happen("held open", open);
  await happen("quick");
  await placeEvents(db, render);
  expect(await messagesAfter(start)).toEqual(["quick"]);
  const readSoFar = await lastPlace(db);
  await open.commit().execute();
  await placeEvents(db, render);
  expect(await messagesAfter(readSoFar)).toEqual(["held open"]);
  const [quick, late] = await eventsAfter(db, start, 10);
  expect(late?.id).toBeLessThan(quick?.id ?? 0);
});

test("several processes that give places at once give each event one, in the order of their commits", async () => {
  const start = await lastPlace(db);
  const writers = Array.from({ length: 40 }, async (_, index) => {
    await happen(`event ${index}`);
    await placeEvents(db, render);
  });
  const seen: string[] = [];
  let place = start;
  const look = async () => {
    const found = await eventsAfter(db, place, 500);
    seen.push(...found.map(({ message }) => message));
    place = found.at(-1)?.seq ?? place;
  };
  const looking = (async () => {
    for (let looks = 0; looks < 50; looks += 1) await look();
  })();
  await Promise.all([...writers, looking]);
  await look();
  expect(seen.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `event ${index}`).toSorted());
  expect(await lastPlace(db)).toBe(start + 40);
});

test("what a transaction that is rolled back wrote has no place", async () => {
  const start = await lastPlace(db);
  const open = await db.startTransaction().execute();
  await happen("never", open);
  await open.rollback().execute();
  expect(await placeEvents(db, render)).toBe(0);
  expect(await lastPlace(db)).toBe(start);
});

test("an event of another project has no place here, and one that was forgotten stands before all others", async () => {
  const newest = await newestPlaced(db, projectId);
  expect(await placeOf(db, projectId, newest?.id ?? 0)).toBe(newest?.seq);
  expect(await placeOf(db, "another000", newest?.id ?? 0)).toBeNull();
  expect(await placeOf(db, projectId, 999_999_999)).toBeNull();
  const [oldest] = await eventsAfter(db, 0, 1);
  await db
    .updateTable("events")
    .set({ at: new Date("2020-01-01") })
    .where("id", "<=", (oldest?.id ?? 0) + 1)
    .execute();
  expect(await forgetEvents(db, 90)).toBeGreaterThan(0);
  expect(await forgetEvents(db, 90)).toBe(0);
  expect(await placeOf(db, projectId, oldest?.id ?? 0)).toBe(0);
});
