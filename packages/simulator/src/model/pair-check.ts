/**
 * What must hold between any two processes (PROTOCOL "Invariants": I2 and I7, I4, I6a, I6b, I6d),
 * and between one that fires and all who are said to have seen what it fires (I5).
 */
import { isLive, type State } from '@rollcall/convergence';
import type { Cast } from './cast.js';
import { type Complaint, complaint } from './complaint.js';
import { holdsLive, type Local, runs } from './local.js';
import type { World } from './world.js';

/** The first thing that is wrong between two processes and is asked for, or null. */
export function checkPair(world: World, a: Local, b: Local): Complaint | null {
  if (!runs(a) || !runs(b) || a.replica === null || b.replica === null) return null;
  const { cast } = world;
  const isMutual = holdsLive(a, b.replica.self) && holdsLive(b, a.replica.self);
  const found = [checkRemoved(cast, a, b), checkRemoved(cast, b, a), contradiction(world, a, b)];
  if (isMutual) {
    found.push(checkMembers(cast, a, b), checkMembers(cast, b, a));
    found.push(checkNumbers(a, b), checkNumbers(b, a));
  }
  return found.find((what) => what !== null && world.asksFor(what)) ?? null;
}

const has = (mask: number, index: number): boolean => ((mask >> index) & 1) === 1;

/** I2, I7, of two that hold each other live. */
function checkMembers(cast: Cast, a: Local, b: Local): Complaint | null {
  const [s, t] = [a.replica?.state, b.replica?.state];
  if (!s || !t || s.epoch !== t.epoch) return null;
  const back = t.members.find(({ key }) => has(a.removed, cast.indexOf(key)));
  if (back === undefined) return null;
  return complaint('I2b', `same epoch: ${back.key} removed at one, member at the other`);
}

/** I4, of two that hold each other live. */
function checkNumbers(a: Local, b: Local): Complaint | null {
  const [s, t] = [a.replica?.state, b.replica?.state];
  if (!s || !t) return null;
  for (const { key, upNumber } of t.members) {
    if (upNumber === null) continue;
    const other = s.get(key);
    const number = other?.upNumber ?? null;
    if (number !== null && number !== upNumber) {
      return complaint('I4', `two live members hold different upNumbers for ${key}`);
    }
    if (s.epoch === t.epoch && number === null) {
      const says = other ? 'no upNumber' : 'not at all';
      return complaint('I4', `same epoch: ${key} is ${upNumber} at one, ${says} at the other`);
    }
  }
  return null;
}

/** D1: two decisions of one epoch, neither set of stayers within the other. */
function contradiction({ cast, plan }: World, a: Local, b: Local): Complaint | null {
  const [k, l] = [a.decided, b.decided];
  if (!plan.sameDecisions || a.replica?.state.epoch !== b.replica?.state.epoch) return null;
  if ((k & ~l) === 0 || (l & ~k) === 0) return null;
  const who = `${cast.namesOf(k)} and ${cast.namesOf(l)}`;
  return complaint('D1', `two nodes that agreed decide differently: ${who} stay`);
}

/** x has removed y, which runs on; a newcomer nobody lists yet is on nobody's side. */
function checkRemoved(cast: Cast, x: Local, y: Local): Complaint | null {
  if (x.stage === 'introducing' || y.stage === 'introducing') return null;
  if (x.replica === null || y.replica === null) return null;
  const [a, b] = [cast.indexOf(x.replica.self), cast.indexOf(y.replica.self)];
  if (!has(x.removed, b)) return null;
  if (has(y.removed, a)) {
    return complaint('I6a', 'split brain: two live nodes removed each other');
  }
  const more = y.removed & ~x.removed;
  if (more) {
    return complaint('I6b', `a removed live node removed ${cast.namesOf(more)} on its own`);
  }
  for (const { key, upNumber } of y.replica.state.members) {
    const known = x.replica.state.get(key);
    const isPast = has(x.removed, cast.indexOf(key)) || (known && !isLive(known.status));
    if (upNumber === null || isPast || known?.upNumber === upNumber) continue;
    return complaint('I6d', `a removed live node promoted ${key} on its own`);
  }
  return null;
}

/** I5: `a` fires its state; `b` must hold that or more if it has a vote in it. */
export function checkFire(world: World, a: Local, b: Local, other: number): Complaint | null {
  const state = a.replica?.state;
  const key = world.cast.keys[other] ?? '';
  const voter = state?.get(key);
  if (!state || !voter || !world.under.isVoter(voter) || b.stage === 'gone') return null;
  const theirs = b.replica?.state;
  const who = 'electorate member has not seen the fired state';
  if (!theirs) return complaint('I5', `${who}: ${key} has none`);
  if (theirs.epoch < state.epoch) return complaint('I5', `${who}: ${key} is behind`);
  if (theirs.epoch > state.epoch + 1) return null;
  return contains(world, theirs, state) ? null : complaint('I5', `${who}: ${key}`);
}

function contains({ under, states }: World, whole: State, part: State): boolean {
  return states.idOf(under.merge(whole, part)) === states.idOf(whole);
}
