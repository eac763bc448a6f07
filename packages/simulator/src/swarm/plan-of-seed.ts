/**
 * From a seed to its plan. Each part has a stream of chance of its own, so what one part draws never moves
 * another: a plan without its crashes is otherwise the same plan.
 */
import type { Settings } from '@rollcall/core';
import { nodeNames } from '../node-name.js';
import { Dice } from './dice.js';
import { drawFaults, drawLevels, type Levels } from './draw-faults.js';
import { drawSettings, paceOf, settingsOf } from './draw-settings.js';
import { type Draft, drawWork, type Frame } from './draw-work.js';
import type { Plan, Step } from './plan.js';

const SIZE_MAX = 30;
const SMALL_MAX = 6;
/** The role that `downing.role` counts where it counts one. */
export const VOTER = 'voter';

export function planOf(seed: number): Plan {
  const dice = new Dice(seed, 'shape');
  const size = drawSize(dice);
  const more = dice.luck(0.4) ? 0 : dice.between(1, Math.ceil(size / 2));
  const nodes = nodeNames(Math.min(SIZE_MAX, size + more));
  const given = drawSettings(dice, size, nodes.length, {
    lease: new Dice(seed, 'lease'),
    care: new Dice(seed, 'care'),
  });
  const voters = dice.luck(0.1) ? drawVoters(dice, nodes) : [];
  if (voters.length > 0) given['downing.role'] = VOTER;
  const settings = settingsOf(given);
  const pace = paceOf(settings);
  const fromMs = dice.luck(0.3) ? 0 : dice.between(1_000, 5_000);
  const lengthMs = Math.ceil((pace.detectMs + pace.decideMs) * dice.fraction(0.5, 3));
  const frame: Frame = {
    seed,
    first: nodes.slice(0, size),
    later: nodes.slice(size),
    fromMs,
    untilMs: fromMs + lengthMs,
  };
  const levels = levelsFor(seed, settings);
  const steps = numbered([...drawWork(frame), ...drawFaults(frame, levels, pace)]);
  return {
    seed,
    nodes,
    seeds: nodes.slice(0, dice.pick([1, 2, 3, 3, size, size])),
    selfFirst: dice.luck(0.1),
    voters,
    settings: given,
    latency: drawLatency(dice, settings),
    ...(dice.luck(0.5) ? { supervisorMs: dice.pick([10, 500, 3_000]) } : {}),
    levels,
    steps,
    faultsEndMs: Math.max(frame.untilMs, steps.at(-1)?.atMs ?? 0),
  };
}

/** A lease that nobody asks cannot fail. */
function levelsFor(seed: number, { downing }: Settings): Levels {
  const levels = drawLevels(seed);
  return downing.strategy === 'lease-majority' ? levels : { ...levels, lease: 'off' };
}

/** Half of them small, where most can go wrong for the money; the others up to the most there can be. */
const drawSize = (dice: Dice): number =>
  dice.luck(0.5)
    ? dice.between(2, SMALL_MAX)
    : 2 + Math.floor((SIZE_MAX - 1) * dice.next() * dice.next());

/** The first seed is one of them: it founds, and can only do so if it counts. */
function drawVoters(dice: Dice, nodes: readonly string[]): readonly string[] {
  const voters = new Set(dice.some(nodes, dice.between(1, nodes.length)));
  return nodes.filter((node, i) => i === 0 || voters.has(node));
}

/** Well below what a detector takes for a silence: whoever is slower than that needs other settings. */
function drawLatency(dice: Dice, { heartbeat, detector }: Settings): Plan['latency'] {
  const most = Math.min(heartbeat.interval, detector.acceptablePause) / 5;
  const minMs = Math.min(dice.pick([0.1, 1, 1, 5, 20]), most);
  return { minMs, maxMs: Math.min(minMs * dice.pick([1, 2, 5]), most), longTail: dice.luck(0.3) };
}

const numbered = (drafts: readonly Draft[]): Step[] =>
  [...drafts].sort((a, b) => a.atMs - b.atMs).map((draft, id) => ({ ...draft, id }));
