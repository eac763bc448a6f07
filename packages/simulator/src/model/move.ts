/**
 * The moves, in the notation of the listed traces. `a` and `b` are processes, or a side for a
 * partition.
 */
import type { Cast } from './cast.js';

type Notation = (a: string, b: string) => string;

/** Order is of no meaning; a move is named by its place here. */
const NOTATIONS = {
  gossip: (a, b) => `${a}->${b}`,
  welcome: (a, b) => `welcome ${a}->${b}`,
  join: (a, b) => `join ${a}->${b}`,
  fire: (a) => `f@${a}`,
  down: (a, b) => `Down ${a}->${b}`,
  leave: (a, b) => `leave ${a}->${b}`,
  quit: (a) => `quit ${a}`,
  exit: (a) => `Exited ${a}`,
  goodbye: (a) => `stop ${a}`,
  crash: (a) => `crash ${a}`,
  accuse: (a, b) => `accuse ${a}->${b}`,
  clear: (a, b) => `unaccuse ${a}->${b}`,
  mark: (a, b) => `accuse ${a}->${b} (falsely)`,
  fate: (a) => `fate@${a}`,
  unwell: (a) => `unwell ${a}`,
  well: (a) => `well ${a}`,
  cutOff: (a) => `cutOff ${a}`,
  weaklyUp: (a) => `weaklyUp@${a}`,
  decide: (a) => `decide@${a}`,
  notice: (a, b) => `notice ${a}->${b}`,
  split: (a) => `SPLIT {${a}}`,
  heal: () => 'HEAL',
  keep: (a) => `keep-snapshot ${a}`,
  stale: (a, b) => `stale from ${a} to ${b}`,
  staleWelcome: (a, b) => `stale welcome ${a}->${b}`,
  timeout: (a) => `timeout@${a}`,
  linger: (a) => `linger@${a}`,
  retry: (a) => `retry ${a}`,
} satisfies Readonly<Record<string, Notation>>;

export type Move = keyof typeof NOTATIONS;

export function notationOf(cast: Cast, move: Move, a: number, b: number): string {
  const name = (index: number) => cast.names[index] ?? '';
  const first = move === 'split' ? cast.namesOf(a) : name(a);
  const notation: Notation = NOTATIONS[move];
  return notation(first, name(b));
}
