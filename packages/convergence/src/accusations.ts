/**
 * From rows to accusations that count (PROTOCOL "Accusations"). A member is *accused*, unreachable
 * for the cluster, when need(x) members that are in their right mind say so; named by fewer it is
 * *suspected* and a link is faulty, nothing more. Whether an accuser is accused itself does not
 * matter: after a clean partition everybody on the other side is.
 */
import type { Member, Row } from './member.js';
import type { NodeKey } from './node-key.js';
import type { Rules } from './quorum.js';
import { isAnybodyNamed, partOf } from './reach.js';
import { baseGraph, baseNeighbours } from './rings.js';
import type { State } from './state.js';

export interface Accusations {
  /** Those that count, by observer and then subject, in key order. */
  readonly pairs: readonly (readonly [observer: NodeKey, subject: NodeKey])[];
  readonly accused: ReadonlySet<NodeKey>;
  readonly accusers: ReadonlySet<NodeKey>;
  /** Named by fewer than it takes, but by at least one that counts and is not accused itself: by whom. */
  readonly suspected: ReadonlyMap<NodeKey, readonly NodeKey[]>;
  /** Who holds the accused or suspected subject unreachable, and counts; in key order. */
  observersOf(subject: NodeKey): readonly NodeKey[];
}

const isWell = (row: Row): boolean => !row.unwell && !row.cutOff;

/** Whose word counts about a subject. */
interface Voices {
  /** W(x). */
  readonly members: readonly Member[];
  counts(row: Row): boolean;
}

/**
 * The base neighbours of a subject that are neither unwell nor cut off. Where they are fewer than have to agree, those that are
 * unwell count as well: a machine on which all stand still now and then must not leave the word to one.
 */
function voicesAmong(neighbours: readonly Member[], rules: Rules): Voices {
  const well = neighbours.filter(({ row }) => isWell(row));
  if (well.length >= Math.min(rules.observers, neighbours.length))
    return { members: well, counts: isWell };
  const counts = (row: Row) => !row.cutOff;
  return { members: neighbours.filter(({ row }) => counts(row)), counts };
}

const needOf = (well: number, rules: Rules): number => Math.max(1, Math.min(rules.observers, well));

/** How many members must name a subject for it to be accused: max(1, min(q, |W(x)|)). */
export function need(state: State, subject: NodeKey, rules: Rules): number {
  const neighbours = baseNeighbours(state, subject, rules.rings);
  const rows = neighbours.map((key) => state.get(key) as Member);
  return needOf(voicesAmong(rows, rules).members.length, rules);
}

export const accusations = (state: State, rules: Rules): Accusations =>
  state.recollection.recall('accusations', rules, () => weigh(state, rules));

const none: readonly NodeKey[] = Object.freeze([]);

function weigh(state: State, rules: Rules): Accusations {
  const named = namedIn(state);
  const neighboursAt = (position: number) =>
    baseGraph(state, rules.rings)
      .linksAt(position)
      .map((at) => state.electorate[at] as Member);
  const counting = new Map<NodeKey, readonly NodeKey[]>();
  const accused: NodeKey[] = [];
  const suspected = new Map<NodeKey, readonly NodeKey[]>();
  for (const position of [...named.keys()].sort((a, b) => a - b)) {
    const { members: voices, counts } = voicesAmong(neighboursAt(position), rules);
    const by = (named.get(position) ?? []).filter(({ row }) => counts(row)).map(({ key }) => key);
    if (by.length === 0) continue;
    const subject = state.electorateKeys[position] as NodeKey;
    counting.set(subject, by);
    const isEnough = by.length >= needOf(voices.length, rules);
    if (isEnough || isLostTo(by, subject, voices, state, rules)) accused.push(subject);
    else suspected.set(subject, by);
  }
  // What the dead said last would stand for as long as they are members, which may be for ever.
  const gone = new Set(accused);
  for (const [subject, by] of suspected)
    if (by.every((observer) => gone.has(observer))) suspected.delete(subject);
  const heldBy = byObserver(accused, counting);
  const accusers = state.electorateKeys.filter((key) => heldBy.has(key));
  return {
    pairs: accusers.flatMap((observer) =>
      (heldBy.get(observer) ?? none).map((subject) => [observer, subject] as const),
    ),
    accused: gone,
    accusers: new Set(accusers),
    suspected,
    observersOf: (subject) => counting.get(subject) ?? none,
  };
}

/**
 * The dead cannot name the dead: where a crash takes several at once, those that are left may be fewer
 * than need(x). They are enough when rows leave no way from a part that could go on to the subject, and
 * as many of that part name it as need(x) would ask if the part were all there is. One that hears
 * nobody does not get there: it is no such part.
 */
function isLostTo(
  observers: readonly NodeKey[],
  subject: NodeKey,
  voices: readonly Member[],
  state: State,
  rules: Rules,
): boolean {
  const parts = new Set(observers.map((observer) => partOf(state, observer, rules)));
  for (const { keys, canGoOn } of parts) {
    if (!canGoOn || keys.has(subject)) continue;
    const inside = voices.filter(({ key }) => keys.has(key)).length;
    if (observers.filter((key) => keys.has(key)).length >= needOf(inside, rules)) return true;
  }
  return false;
}

/** The accused that each observer names, in the order of the accused. */
function byObserver(
  accused: readonly NodeKey[],
  counting: ReadonlyMap<NodeKey, readonly NodeKey[]>,
): ReadonlyMap<NodeKey, readonly NodeKey[]> {
  const held = new Map<NodeKey, NodeKey[]>();
  for (const subject of accused) {
    for (const observer of counting.get(subject) ?? none) {
      const subjects = held.get(observer);
      if (subjects) subjects.push(subject);
      else held.set(observer, [subject]);
    }
  }
  return held;
}

/** Who in L is named in a row of L, by position, and by whom, in key order. */
function namedIn(state: State): Map<number, Member[]> {
  const named = new Map<number, Member[]>();
  if (!isAnybodyNamed(state)) return named;
  const { positions } = state.electors;
  for (const observer of state.electorate) {
    for (const subject of observer.row.unreachable) {
      const position = positions.get(subject);
      if (position === undefined) continue;
      const by = named.get(position);
      if (by) by.push(observer);
      else named.set(position, [observer]);
    }
  }
  return named;
}
