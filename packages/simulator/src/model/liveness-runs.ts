/**
 * The L runs: detection that is right in the end, decisions when nothing else moves, and a goal for
 * every position of rest. Up to L24 without the own-fate flags, as first explored; the F runs are
 * with them, most with q = 2.
 */
import { type Liveness, liveness, type Options, type Plan } from './plan.js';

/** As the table has it: what must survive, and whether a time-out may be needed. */
const plain = (name: string, title: string, live: Liveness, options: Options): Plan =>
  liveness(name, title, live, { fate: false, ...options });

const atLeast = (survivors: number): Liveness => ({ survivors, timeouts: true });
const unaided = (survivors: number): Liveness => ({ survivors, timeouts: false });

const cut: Options = { splits: 1, heals: false };
const halves: Options = { ...cut, splitSides: 'AB' };
const q2: Options = { observers: 2 };
const deaf = 'D<A D<B E<C';

export const livenessRuns: readonly Plan[] = [
  plain('L01', 'a crash, two false accusations', unaided(2), { up: 'ABC', crashes: 1, marks: 2 }),
  plain('L02', 'all three leave', unaided(0), { up: 'ABC', leaves: 3 }),
  plain('L03', 'a joiner and a crash', atLeast(2), { up: 'ABC', join: 'D', crashes: 1 }),
  plain('L04', 'a restart', atLeast(3), {
    up: 'ABC',
    join: 'B2',
    crashes: 1,
    crashable: 'B',
  }),
  plain('L05', 'the lowest restarts', atLeast(3), {
    up: 'ABC',
    join: 'A2',
    crashes: 1,
    crashable: 'A',
  }),
  plain('L06', 'a partition that stays', atLeast(2), { up: 'ABC', ...cut }),
  plain('L07', 'a partition that heals', atLeast(2), { up: 'ABC', splits: 1 }),
  plain('L09', 'four up, a partition that stays', atLeast(2), { up: 'ABCD', ...cut }),
  plain('L10-bridge', 'one link is gone', atLeast(2), {
    up: 'ABC',
    ...cut,
    splitSides: 'A',
    bridge: 'B',
  }),
  plain('L11-bridge', 'two links are gone', atLeast(2), { up: 'ABCD', ...halves, bridge: 'C' }),
  plain('L12-oldest', 'keep-oldest, a partition that stays', atLeast(2), {
    up: 'ABCD',
    ...cut,
    strategy: 'keep-oldest',
  }),
  plain('L13-quorum2', 'static-quorum 2, a partition that stays', atLeast(2), {
    up: 'ABC',
    ...cut,
    strategy: 'static-quorum',
    quorum: 2,
  }),
  plain('L14-downall', 'down-all, a partition that stays', atLeast(0), {
    up: 'ABC',
    ...cut,
    strategy: 'down-all',
  }),
  plain('L15', 'the lowest joins, half and half', atLeast(0), { up: 'BCD', join: 'A', ...halves }),
  plain('L16', 'the highest joins, half and half', atLeast(0), { up: 'ABC', join: 'D', ...halves }),
  plain('L17', 'two up, a joiner and a crash', atLeast(0), { up: 'AB', join: 'C', crashes: 1 }),
  plain('L18-weaklyUp', 'a joiner and two false accusations', unaided(3), {
    up: 'AB',
    join: 'C',
    marks: 2,
    weak: true,
  }),
  plain('L20', 'one leaves, one crashes', atLeast(0), { up: 'ABC', leaves: 1, crashes: 1 }),
  plain('L21', 'four up, one leaves, one crashes', atLeast(2), {
    up: 'ABCD',
    leaves: 1,
    crashes: 1,
  }),
  plain('L22-founder', 'a founder and two joiners', unaided(3), { found: 'A', join: 'BC' }),
  plain('L24-pool', 'a joiner, one leaves, 1 stale', atLeast(1), {
    up: 'AB',
    join: 'C',
    pool: 1,
    leaves: 1,
  }),
  liveness('F01', 'a crash and two false accusations', unaided(2), {
    up: 'ABC',
    crashes: 1,
    marks: 2,
    ...q2,
  }),
  liveness('F02-flags', 'a crash, one unwell, a false accusation', unaided(2), {
    up: 'ABC',
    crashes: 1,
    marks: 1,
    flags: 1,
    ...q2,
  }),
  liveness('F03', 'a joiner and a crash', atLeast(2), { up: 'ABC', join: 'D', crashes: 1, ...q2 }),
  liveness('F06', 'a partition that stays', atLeast(2), { up: 'ABC', ...cut, ...q2 }),
  liveness('F07', 'a partition that heals', atLeast(2), { up: 'ABC', splits: 1, ...q2 }),
  liveness('F07-q1', 'a partition that heals, q = 1', atLeast(2), { up: 'ABC', splits: 1 }),
  liveness('F09', 'four up, a partition that stays', atLeast(2), { up: 'ABCD', ...cut, ...q2 }),
  liveness('F10-bridge', 'one link is gone: nobody need stop', unaided(3), {
    up: 'ABC',
    ...cut,
    splitSides: 'A',
    bridge: 'B',
    ...q2,
  }),
  liveness('F15', 'the lowest joins, half and half; silence is slow', atLeast(0), {
    up: 'BCD',
    join: 'A',
    ...halves,
    ...q2,
    patience: true,
  }),
  liveness('F16', 'the highest joins, half and half: a newcomer is no way back', atLeast(0), {
    up: 'ABC',
    join: 'D',
    ...halves,
    ...q2,
  }),
  liveness('F17', 'two of three crash where one is a quorum', unaided(1), {
    up: 'ABC',
    crashes: 2,
    strategy: 'static-quorum',
    quorum: 1,
    ...q2,
  }),
  liveness('F18', 'two joiners crash beside their founder', atLeast(0), {
    found: 'A',
    join: 'BC',
    crashes: 2,
    crashable: 'BC',
    ...q2,
  }),
  liveness('F21', 'four up, one leaves, one crashes', atLeast(2), {
    up: 'ABCD',
    leaves: 1,
    crashes: 1,
    ...q2,
  }),
  liveness('F25-reach', 'D names A and B, E names C: nobody stops; silence is slow', unaided(5), {
    up: 'ABCDE',
    deaf,
    ...q2,
    patience: true,
  }),
  liveness('F26-reach', 'the same, and C crashes', atLeast(4), {
    up: 'ABCDE',
    deaf,
    crashes: 1,
    crashable: 'C',
    ...q2,
    patience: true,
  }),
];

export const longLivenessRuns: readonly Plan[] = [
  plain('L08', 'a partition that heals, a false accusation', atLeast(2), {
    up: 'ABC',
    splits: 1,
    marks: 1,
  }),
  plain('L19', 'two join, one leaves', unaided(3), { up: 'AB', join: 'CD', leaves: 1 }),
  plain('L23', 'one joins, two leave', unaided(2), { up: 'ABC', join: 'D', leaves: 2 }),
  liveness('F18-weaklyUp', 'a joiner and two false accusations', unaided(3), {
    up: 'AB',
    join: 'C',
    marks: 2,
    weak: true,
    ...q2,
  }),
  liveness('F27-reach', 'D names A and B, E names C: nobody stops, at any speed', unaided(5), {
    up: 'ABCDE',
    deaf,
    ...q2,
  }),
];
