/**
 * I3: merge is commutative, idempotent and associative, on every two states that somebody really
 * merged and every three of which any two were (PROTOCOL "Merge").
 */
import type { State } from '@rollcall/convergence';
import { type Complaint, complaint } from './complaint.js';
import type { World } from './world.js';

export interface Laws {
  readonly pairs: number;
  readonly triples: number;
  readonly wrong: Complaint | null;
}

/** Triples past this many are left out; a plan that needs more is too large for this check. */
const TRIPLES_MAX = 300_000;

export function checkLaws(world: World): Laws {
  const met = new Map<number, Set<number>>();
  const note = (a: number, b: number) => {
    const known = met.get(a);
    if (known) known.add(b);
    else met.set(a, new Set([b]));
  };
  for (const pair of world.merged) {
    const [a = 0, b = 0] = pair.split(' ').map(Number);
    note(a, b);
    note(b, a);
  }
  let triples = 0;
  for (const [a, others] of met) {
    for (const b of others) {
      const wrong = checkPairLaws(world, a, b);
      if (wrong) return { pairs: world.merged.size, triples, wrong };
      for (const c of met.get(b) ?? []) {
        if (!others.has(c) || triples >= TRIPLES_MAX) continue;
        triples += 1;
        if (!isAssociative(world, a, b, c)) {
          const text = `merge is not associative: ${digests(world, a, b, c)}`;
          return { pairs: world.merged.size, triples, wrong: complaint('I3', text) };
        }
      }
    }
  }
  return { pairs: world.merged.size, triples, wrong: null };
}

const stateOf = (world: World, id: number): State => world.states.states[id] as State;

const digests = (world: World, ...ids: number[]): string =>
  ids.map((id) => stateOf(world, id).digest.slice(0, 8)).join(', ');

function checkPairLaws(world: World, a: number, b: number): Complaint | null {
  const merge = (x: State, y: State) => world.under.merge(x, y);
  const [s, t] = [stateOf(world, a), stateOf(world, b)];
  const joined = merge(s, t);
  if (!same(world, joined, merge(t, s))) {
    return complaint('I3', `merge is not commutative: ${digests(world, a, b)}`);
  }
  if (!same(world, merge(joined, s), joined) || !same(world, merge(joined, t), joined)) {
    return complaint('I3', `merge is not idempotent: ${digests(world, a, b)}`);
  }
  return null;
}

function isAssociative(world: World, a: number, b: number, c: number): boolean {
  const [s, t, u] = [stateOf(world, a), stateOf(world, b), stateOf(world, c)];
  const { merge } = world.under;
  return same(world, merge(merge(s, t), u), merge(s, merge(t, u)));
}

const same = (world: World, a: State, b: State): boolean =>
  world.states.idOf(a) === world.states.idOf(b);
