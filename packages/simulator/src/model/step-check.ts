/**
 * What must hold of one process from one value to the next (PROTOCOL "Invariants": I1, the local
 * part of I2 and of I4), asked here from outside and, for what ships, by the shipped assertions as
 * well.
 */
import { isLive, type Member, RANK, type State } from '@rollcall/convergence';
import { type Complaint, complaint } from './complaint.js';
import type { Local } from './local.js';
import type { World } from './world.js';

export function checkStep(world: World, before: Local, after: Local): Complaint | null {
  const { replica } = after;
  if (replica === null) return null;
  const isFresh = before.replica === null || after.stage === 'introducing';
  if (!isFresh && before.replica !== null) {
    const back = goesBack(before.replica.state, replica.state);
    if (back !== null) return back;
  }
  const ghost = replica.state.members.find(
    ({ key }) => (after.removed >> world.cast.indexOf(key)) & 1,
  );
  if (ghost) return complaint('I2', `removed unique address came back: ${ghost.key}`);
  if (world.wanted === 'I4d' && sharesNumber(world, after)) {
    return complaint('I4d', 'two members share an upNumber in a converged state');
  }
  // A fresh Welcome replaces a newcomer's private copy: only then may anything go back.
  const isReplaced = before.stage === 'introducing' && after.stage === 'introducing';
  world.under.assertInvariants(isReplaced ? null : before.replica, replica);
  return null;
}

/** I1: a status never goes down, an upNumber never changes once set, the epoch never goes down. */
function goesBack(before: State, after: State): Complaint | null {
  if (after.epoch < before.epoch) return complaint('I1', 'the epoch went down');
  for (const old of before.members) {
    const now = after.get(old.key);
    if (now === undefined) continue;
    if (RANK[now.status] < RANK[old.status]) return complaint('I1', `${old.key}: status went down`);
    if (old.upNumber !== null && now.upNumber !== old.upNumber) {
      return complaint('I1', `${old.key}: its upNumber changed`);
    }
  }
  return null;
}

/** I4: whoever is promoted is younger than everybody else. */
export function checkPromotion(before: State, after: State): Complaint | null {
  const isNew = ({ key, upNumber }: Member) =>
    upNumber !== null && (before.get(key)?.upNumber ?? null) === null;
  const youngest = Math.max(0, ...before.members.map(({ upNumber }) => upNumber ?? 0));
  const late = after.members.find((member) => isNew(member) && (member.upNumber ?? 0) <= youngest);
  return late ? complaint('I4', `${late.key} was promoted and is not the youngest`) : null;
}

/** I4d, of numbers that are given out one by one; a batch shares its number by design. */
function sharesNumber({ under, rules }: World, { replica, stage }: Local): boolean {
  if (replica === null || stage !== 'member') return false;
  const { state, seen } = replica;
  const numbers = state.members.flatMap(({ upNumber, status }) =>
    upNumber === null || !isLive(status) ? [] : [upNumber],
  );
  return new Set(numbers).size < numbers.length && under.converged(state, seen, rules);
}
