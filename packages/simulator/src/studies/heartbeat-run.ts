/**
 * Heartbeats to a few observers over a network that loses some: how often the detectors are mistaken, and how
 * long after a crash they would notice it. Both from one stream, because a crash may come at any moment.
 */
import type { FailureDetector } from '@rollcall/failure-detector';
import { SeededRandom } from '../seeded-random.js';

export interface HeartbeatOptions {
  readonly seed: number;
  readonly createDetector: () => FailureDetector;
  readonly observers: number;
  /** So many observers must agree. */
  readonly agreeing: number;
  readonly loss: number;
  readonly intervalMs: number;
  readonly heartbeats: number;
}

export interface DetectionQuality {
  readonly mistakes: number;
  readonly virtualMs: number;
  /** The mean time from a crash to its detection. */
  readonly detectionMs: number;
}

/** Until detectors have learnt what is usual, nothing is counted. */
const WARM_UP = 200;

/** One way, as between the nodes of a fleet. */
const DELAY_MS = 0.5;
const JITTER_MEAN_MS = 0.1;

export function runHeartbeats(options: HeartbeatOptions): DetectionQuality {
  const { seed, createDetector, observers, agreeing, loss, intervalMs, heartbeats } = options;
  const chance = new SeededRandom(seed, 'heartbeats');
  const detectors = Array.from({ length: observers }, createDetector);
  const trips = new Float64Array(observers);
  let mistakes = 0;
  let wasMistaken = false;
  let detectionMs = 0;
  for (let beat = 0; beat < WARM_UP + heartbeats; beat++) {
    const sentMs = beat * intervalMs;
    for (const detector of detectors) {
      const delayMs = DELAY_MS - JITTER_MEAN_MS * Math.log(1 - chance.next());
      if (chance.next() >= loss) detector.heartbeat(sentMs + delayMs);
    }
    const tripMs = tripOf(detectors, agreeing, trips);
    if (beat < WARM_UP) continue;
    const isMistaken = tripMs <= sentMs + intervalMs;
    if (isMistaken && !wasMistaken) mistakes++;
    wasMistaken = isMistaken;
    // A crash somewhere before the next heartbeat, which is then the first that is not sent.
    const crashMs = sentMs + DELAY_MS + chance.next() * (intervalMs - DELAY_MS);
    detectionMs += Math.max(0, tripMs - crashMs);
  }
  return { mistakes, virtualMs: heartbeats * intervalMs, detectionMs: detectionMs / heartbeats };
}

/** When enough of them no longer hold the subject available, if nothing more is heard. */
function tripOf(
  detectors: readonly FailureDetector[],
  agreeing: number,
  trips: Float64Array,
): number {
  for (let i = 0; i < detectors.length; i++) {
    trips[i] = (detectors[i] as FailureDetector).unavailableAtMs();
  }
  return trips.sort()[agreeing - 1] as number;
}
