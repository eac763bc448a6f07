/** How soon a crash is noticed by all, beside the time that the detector itself takes; simulated or real. */
import { PhiNormalDetector } from '@rollcall/failure-detector';
import { figure } from './report.mjs';

/** How long a silence trips a detector that has heard only punctual heartbeats. */
export function tripMs(intervalMs = 1_000) {
  const detector = new PhiNormalDetector();
  for (let beat = 0; beat < 60; beat++) detector.heartbeat(beat * intervalMs);
  return detector.unavailableAtMs() - 59 * intervalMs;
}

export function crashFigure(what, value, note) {
  const trip = tripMs();
  return figure('crash', what, {
    value,
    unit: 'ms',
    against: "the detector's trip time",
    other: trip,
    reach: '≤ trip + 1,000 ms',
    isMet: value <= trip + 1_000,
    note,
  });
}
