/** How a page moves, as its browser draws it. */
import type { Page } from "playwright-core";
import { Type } from "typebox";
import { Value } from "typebox/value";

export interface Frames {
  /** Between one frame and the next, in milliseconds. */
  readonly ms: readonly number[];
  /** How often the page's own work took longer than 50 ms at a stretch. */
  readonly longTasks: number;
}

const Frames = Type.Object({ ms: Type.Array(Type.Number()), longTasks: Type.Integer() });

/**
 * The times between `count` frames.
 *
 * @param scrollBy pixels that the page is scrolled by from frame to frame, down and then up again; 0: it stands still
 */
export async function framesOf(page: Page, count: number, scrollBy: number): Promise<Frames> {
  const measured: unknown = await page.evaluate(`new Promise((resolve) => {
    const ms = [];
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
    observer.observe({ type: "longtask" });
    let before = null;
    requestAnimationFrame(function frame(now) {
      if (before !== null) ms.push(now - before);
      before = now;
      scrollBy(0, ms.length < ${count / 2} ? ${scrollBy} : -${scrollBy});
      if (ms.length < ${count}) return requestAnimationFrame(frame);
      observer.disconnect();
      resolve({ ms, longTasks });
    });
  })`);
  return Value.Parse(Frames, measured);
}
