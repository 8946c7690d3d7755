/**
 * Code that is loaded when somebody needs it. Browsers drop what is under way when their machine gets or loses a network, and
 * a machine that runs databases itself gets one with each of them: right then, the page with the new password is loaded.
 */

/** Before each further try. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000];

/** Tries again where it fails, and throws what the last try threw. */
export async function insist<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return load();
}
