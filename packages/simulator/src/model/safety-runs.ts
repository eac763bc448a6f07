/**
 * The S runs: anybody downs anybody at any time, fires late or never, old snapshots come
 * back; whatever strategy, operator or timing there may be is among it. Those with a plain
 * number are runs of the exploration by which the rules were designed.
 */
import { type Plan, planOf, safety } from './plan.js';

export const safetyRuns: readonly Plan[] = [
  safety('S04', 'one up, two join, 1 stale', { up: 'A', join: 'BC', pool: 1, laws: true }),
  safety('S05', 'the highest up, two join, 1 stale', { up: 'C', join: 'AB', pool: 1, laws: true }),
  safety('S06', 'three up, the lowest joins', { up: 'BCD', join: 'A', laws: true }),
  safety('S08', 'the lowest restarts, 1 stale', {
    up: 'ABC',
    join: 'A2',
    crashes: 1,
    crashable: 'A',
    pool: 1,
  }),
  safety('S09', 'another one restarts, 1 stale', {
    up: 'ABC',
    join: 'B2',
    crashes: 1,
    crashable: 'B',
    pool: 1,
  }),
  safety('S10', 'one exits, one leaves, 1 stale', { up: 'ABC', pool: 1, quits: 1, leaves: 1 }),
  safety('S11', 'three up, 2 stale', { up: 'ABC', pool: 2, laws: true }),
  safety('S12', 'two up, one joins, 2 stale', { up: 'AB', join: 'C', pool: 2 }),
  safety('S16', 'four up, 3 Downs, 1 stale', { up: 'ABCD', pool: 1, downs: 3, laws: true }),
  safety('S21', 'static-quorum 2, one joins', {
    up: 'BCD',
    join: 'A',
    strategy: 'static-quorum',
    quorum: 2,
  }),
  safety('S24', 'down-all, one joins', { up: 'BCD', join: 'A', strategy: 'down-all' }),
  safety('S26', 'two founders, two join', { found: 'AB', join: 'CD' }),
  planOf('S27', 'rows, 2 Downs, 2 false accusations, WeaklyUp', {
    up: 'ABC',
    rows: true,
    havoc: true,
    notices: true,
    downs: 2,
    marks: 2,
    weak: true,
  }),
  planOf('S28-q2', 'q = 2: a Down, a false accusation, a flag', {
    up: 'ABC',
    rows: true,
    havoc: true,
    notices: true,
    observers: 2,
    downs: 1,
    marks: 1,
    flags: 1,
  }),
  safety('S31', 'a restart and a joiner', {
    up: 'AB',
    join: 'CB2',
    crashes: 1,
    crashable: 'B',
  }),
  safety('S35', 'four up, two exit', { up: 'ABCD', quits: 2 }),
  safety('S40-atomic', 'three up, one joins; fires in the same breath', {
    up: 'ABC',
    join: 'D',
    firing: 'atomic',
    downs: 2,
  }),
  safety('S41-atomic', 'one exits, one leaves, 1 stale; fires in the same breath', {
    up: 'ABC',
    pool: 1,
    quits: 1,
    leaves: 1,
    firing: 'atomic',
    laws: true,
  }),
];

/** The large ones. */
export const longSafetyRuns: readonly Plan[] = [
  planOf('S30-q2', 'q = 2: a Down, two false accusations, a flag', {
    up: 'ABC',
    rows: true,
    havoc: true,
    notices: true,
    observers: 2,
    downs: 1,
    marks: 2,
    flags: 1,
  }),
  safety('S01', 'three up, two leave, 1 stale', { up: 'ABC', pool: 1, leaves: 2, laws: true }),
  safety('S02', 'two up, one joins, one leaves, 1 stale', {
    up: 'AB',
    join: 'C',
    pool: 1,
    leaves: 1,
    laws: true,
  }),
  safety('S03', 'the same, the lowest joins', {
    up: 'BC',
    join: 'A',
    pool: 1,
    leaves: 1,
    laws: true,
  }),
  safety('S07', 'four up, one leaves', { up: 'ABCD', leaves: 1, laws: true }),
  safety('S20-oldest', 'keep-oldest, one joins', {
    up: 'BCD',
    join: 'A',
    strategy: 'keep-oldest',
  }),
  safety('S22-quorum2', 'static-quorum 2, two join', {
    up: 'CD',
    join: 'AB',
    strategy: 'static-quorum',
    quorum: 2,
  }),
  safety('S25-tieOldest', 'a tie goes to the oldest, one joins', {
    up: 'BCD',
    join: 'A',
    tieOldest: true,
  }),
  safety('S29-oldest', 'keep-oldest, one joins, one leaves, 1 stale', {
    up: 'AB',
    join: 'C',
    pool: 1,
    leaves: 1,
    strategy: 'keep-oldest',
  }),
  safety('S36', 'three up, one joins, one exits', { up: 'ABC', join: 'D', quits: 1 }),
];
