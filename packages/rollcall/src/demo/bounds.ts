/** How long each step may take, from the very settings that the nodes run with. */

import { detectorSettings, type Settings } from '@rollcall/core';
import { createFailureDetector } from '@rollcall/failure-detector';

export interface Bound {
  readonly ms: number;
  /** Where the figure comes from. */
  readonly because: string;
}

export interface Bounds {
  readonly form: Bound;
  readonly unreachable: Bound;
  readonly removed: Bound;
  readonly back: Bound;
  readonly left: Bound;
}

/** Heartbeats after which a detector knows the rhythm of its link. */
export const WARM_HEARTBEATS = 10;

export function boundsOf(settings: Settings): Bounds {
  const tripMs = tripTimeMs(settings);
  const { stableAfter } = settings.downing;
  return {
    form: { ms: 3_000, because: 'after the last one listens' },
    unreachable: {
      ms: tripMs + 1_000,
      because: `the detector trips after ${seconds(tripMs)} of silence, and 1 s to agree`,
    },
    removed: {
      ms: stableAfter + 2_000,
      because: `downing.stableAfter ${seconds(stableAfter)}, and 2 s to agree`,
    },
    back: { ms: 3_000, because: 'after it listens' },
    left: { ms: 2_000, because: 'after SIGTERM' },
  };
}

/** The silence at which a detector trips that has heard punctual heartbeats only. */
export function tripTimeMs(settings: Settings): number {
  const detector = createFailureDetector(detectorSettings(settings));
  const { interval } = settings.heartbeat;
  // Enough that the first estimates have left the history.
  const beats = settings.detector.maxSamples + 2;
  for (let beat = 0; beat <= beats; beat++) detector.heartbeat(beat * interval);
  return detector.unavailableAtMs() - beats * interval;
}

/** `4.6 s`. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
