import { afterEach, expect, test, vi } from "vitest";
import { putService } from "../../test/support/drafts.ts";
import { eventually } from "../../test/support/eventually.ts";
import { openTestStore } from "../../test/support/store.ts";
import { deleteService } from "./delete-service.ts";
import { listenForDue } from "./listen-for-due.ts";
import { createReconcileQueue } from "./reconcile-queue.ts";

const END_WHO_LISTENS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and application_name like '%listening%'`;

const opened = await openTestStore();
const { store, encryption, databaseUrl, projectId } = opened;

const listeners: { abort: AbortController; over: Promise<void> }[] = [];

afterEach(async () => {
  for (const { abort } of listeners) abort.abort();
  await Promise.all(listeners.map(({ over }) => over));
  listeners.length = 0;
});

test("whoever listens hears of every change, and of outside events", async () => {
  const heard = await listen();
  const serviceId = await putService(opened);
  await eventually(() => expect(heard).toHaveBeenCalledTimes(1));
  await deleteService(store.db, { projectId, serviceId, actor: "key:test" });
  await eventually(() => expect(heard).toHaveBeenCalledTimes(2));

  const queue = createReconcileQueue(store.db, encryption, "here", 60_000);
  await queue.claimDue(1);
  await queue.makeDue(serviceId);
  await eventually(() => expect(heard).toHaveBeenCalledTimes(3));
});

test("a lost connection is made again, and what may have been missed is looked for", async () => {
  const heard = await listen();
  await store.pool.query(END_WHO_LISTENS);
  await eventually(() => expect(heard).toHaveBeenCalledTimes(1));
  await putService(opened);
  await eventually(() => expect(heard).toHaveBeenCalledTimes(2));
});

test("listening ends when it is told to, with or without a server", async () => {
  const abort = new AbortController();
  const over = listenForDue("postgresql://nobody@127.0.0.1:1/nowhere", () => {}, abort.signal);
  abort.abort();
  await expect(over).resolves.toBeUndefined();
});

/** Resolves when it listens; the calls are those after that. */
async function listen() {
  const heard = vi.fn<() => void>();
  const abort = new AbortController();
  listeners.push({ abort, over: listenForDue(databaseUrl, heard, abort.signal) });
  await eventually(() => expect(heard).toHaveBeenCalledTimes(1));
  heard.mockClear();
  return heard;
}
