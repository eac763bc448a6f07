/**
 * Waiting for something to be seen: as long as it takes, up to a bound, and who waited in vain is told
 * what was there to be seen instead. All bounds of these tests are in `BOUNDS`.
 */

/** Machines that run tests have other things to do: each stated bound counts four times. */
const PATIENCE = 4;
const times = (seconds: number): number => seconds * 1_000 * PATIENCE;

export const BOUNDS = {
  /** Until a process listens, or a command has answered: the machine's doing, not the cluster's. */
  start: times(15),
  /** From the last one listening to Up everywhere. */
  form: times(3),
  /** The same when a seed does not answer: `join.seedTimeout` comes first. */
  formWithoutSeed: times(5 + 3),
  /** Ten heartbeats. */
  warm: times(10),
  /** By default a silence of 4.6 s is a verdict, and 1 s is for agreeing on it. */
  unreachable: times(4.6 + 1),
  /** `downing.stableAfter=5s`, and 2 s to agree. */
  removed: times(5 + 2),
  /** From SIGTERM to gone for all others. */
  left: times(2),
  /** A whole example: it has bounds of its own for each thing that it shows. */
  example: times(30),
  /** An answer that needs a few round trips at most. */
  soon: times(2),
} as const;

const LOOK_EVERY_MS = 100;

/** Resolves with what was seen when it held. `show` says what was seen to whoever waited in vain. */
export async function until<T>(
  what: string,
  withinMs: number,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  show: (seen: T) => string = (seen) => JSON.stringify(seen, undefined, 1),
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadlineMs) {
      throw new Error(`not seen within ${withinMs / 1_000} s: ${what}. Seen last:\n${show(seen)}`);
    }
    await elapsed(LOOK_EVERY_MS);
  }
}

/** Time as what is done to a process (stopped for so long, gone for so long), never to wait for it to do something. */
export const elapsed = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
