/**
 * One run of the cut-off study: some nodes cannot talk for a while, again and again, their clocks go on,
 * and at each return all that waited is released at once. Counted is what it does to the others: how
 * often a node that was never cut off was declared dead at another such node.
 */
import type { SwimVariant } from '@rollcall/failure-detector';
import type { Conviction } from './conviction-log.js';
import type { StudyResult, StudyTask } from './study.js';
import { SwimFleet } from './swim-fleet.js';
import { asStudied, type CutOffModel } from './swim-protocols.js';

/** Production nodes twice: nobody is downed, or the default does it. */
export type CutOffProtocol = SwimVariant | 'rollcall' | 'downing';

export interface CutOffTask extends StudyTask {
  readonly protocol: CutOffProtocol;
  readonly model: CutOffModel;
  readonly seed: number;
  readonly nodes: number;
  readonly minutes: number;
  /** Instead of minutes, for production nodes, which take long: how often they are cut off. */
  readonly outages: number;
  /** How many are cut off, for how long, and how long they are back. */
  readonly cut: number;
  readonly outageMs: number;
  readonly gapMs: number;
}

export interface CutOffResult extends StudyResult {
  readonly task: CutOffTask;
  readonly falseDeaths: number;
  /** Of production nodes: the first stories, and who was removed how often. */
  readonly convictions?: readonly Conviction[];
  readonly removed?: readonly Removed[];
}

interface Removed {
  readonly name: string;
  readonly times: number;
  /** Was it one of those cut off? */
  readonly wasCut: boolean;
}

export function runCutOff(task: CutOffTask): CutOffResult {
  const { protocol, model, seed, nodes, cut, outageMs, gapMs } = task;
  let falseDeaths = 0;
  const swim = asStudied(protocol as SwimVariant, model);
  const fleet = new SwimFleet({
    seed,
    nodes,
    swim,
    onVerdict: (observer, { member, status }) => {
      if (status === 'dead' && observer >= cut && member >= cut) falseDeaths++;
    },
  });
  const endMs = task.minutes * 60_000;
  for (let atMs = gapMs; atMs < endMs; atMs += outageMs + gapMs) {
    fleet.run(atMs);
    for (let node = 0; node < cut; node++) fleet.cutOff(node);
    fleet.run(Math.min(atMs + outageMs, endMs));
    for (let node = 0; node < cut; node++) fleet.reconnect(node);
  }
  fleet.run(endMs);
  return { task, falseDeaths, steps: fleet.steps };
}
