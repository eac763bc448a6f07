/** What the nodes of a seed are told to do: when they start, join, leave, mark each other down and come back. */
import { Dice } from './dice.js';
import type { Step, Work } from './plan.js';

/** A step before it has its number. */
export type Draft = Step extends infer S ? (S extends Step ? Omit<S, 'id'> : never) : never;

export interface Frame {
  readonly seed: number;
  /** The nodes that start first, and those that join later. */
  readonly first: readonly string[];
  readonly later: readonly string[];
  /** When work and faults may begin: at once, so that they meet the cluster while it forms, or later. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export const everybody = ({ first, later }: Frame): readonly string[] => [...first, ...later];

export const drawWork = (frame: Frame): Draft[] => [
  ...starts(frame),
  ...joins(frame),
  ...leaves(frame),
  ...downs(frame),
  ...restarts(frame),
];

const moment = (dice: Dice, { fromMs, untilMs }: Frame): number => dice.between(fromMs, untilMs);

const diceFor = ({ seed }: Frame, work: Work | 'start'): Dice => new Dice(seed, 'work', work);

/** All at once, or one after another. */
function starts(frame: Frame): Draft[] {
  const dice = diceFor(frame, 'start');
  const gapMs = dice.pick([0, 0, 5, 100, 1_000]);
  const order = dice.luck(0.3) ? dice.shuffled(frame.first) : frame.first;
  return order.map((node, i) => ({ kind: 'start', node, atMs: i * gapMs }));
}

function joins(frame: Frame): Draft[] {
  const dice = diceFor(frame, 'join');
  const burstMs = moment(dice, frame);
  const isBurst = dice.luck(0.3);
  return frame.later.map((node) => {
    const atMs = isBurst ? burstMs + dice.between(0, 100) : moment(dice, frame);
    return { kind: 'join', node, atMs };
  });
}

function leaves(frame: Frame): Draft[] {
  const dice = diceFor(frame, 'leave');
  if (dice.luck(0.4)) return [];
  const all = everybody(frame);
  const count = dice.luck(0.1) ? all.length : dice.between(1, Math.ceil(all.length / 3));
  const togetherMs = dice.luck(0.3) ? moment(dice, frame) : undefined;
  return dice
    .some(all, count)
    .map((node) => ({ kind: 'leave', node, atMs: togetherMs ?? moment(dice, frame) }));
}

function downs(frame: Frame): Draft[] {
  const dice = diceFor(frame, 'down');
  if (dice.luck(0.6)) return [];
  const all = everybody(frame);
  return Array.from({ length: dice.between(1, Math.ceil(all.length / 3)) }, () => {
    const [node, target] = [dice.pick(all), dice.pick(all)];
    return { kind: 'down', node, target, atMs: moment(dice, frame) };
  });
}

/** Sometimes most come back shortly before the faults stop, so that there is somebody to heal. */
function restarts(frame: Frame): Draft[] {
  const dice = diceFor(frame, 'restart');
  if (dice.luck(0.4)) return [];
  const all = everybody(frame);
  const some = dice
    .some(all, dice.between(1, Math.ceil(all.length / 2)))
    .map((node): Draft => ({ kind: 'restart', node, atMs: moment(dice, frame) }));
  if (dice.luck(0.5)) return some;
  const late = { ...frame, fromMs: Math.ceil(frame.fromMs * 0.05 + frame.untilMs * 0.95) };
  const back = dice
    .some(all, dice.between(1, all.length))
    .map((node): Draft => ({ kind: 'restart', node, atMs: moment(dice, late) }));
  return [...some, ...back];
}
