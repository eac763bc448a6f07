/**
 * States written as a line: `A:Up1 B:Leaving2! C:Joining D:Down3>A,B @5 -X` is four members, B
 * unwell, D's row naming A and B, epoch 5, X removed. `!` is unwell, `?` cut off. For tests that
 * show one case.
 */
import { keyOf } from './cluster.testing.js';
import { type Member, State, type Status } from './index.js';

const pattern = /^(\w+):([A-Za-z]+)(\d*)([!?]*)(?:\[(\w+)\])?(?:>([\w,]+))?$/;

export function parse(line: string): State {
  const members: Member[] = [];
  const removed: string[] = [];
  let epoch = 9;
  for (const word of line.trim().split(/\s+/)) {
    if (word.startsWith('@')) epoch = Number(word.slice(1));
    else if (word.startsWith('-')) removed.push(keyOf(word.slice(1)));
    else members.push(memberOf(word));
  }
  return State.from({ clusterId: 'A#1', epoch, members, removed });
}

function memberOf(word: string): Member {
  const [, name, status, number, flags, role, names] = pattern.exec(word) ?? [];
  if (!name || !status) throw new Error(`not a member: ${word}`);
  const unreachable = (names ?? '').split(',').filter(Boolean).map(keyOf);
  return {
    key: keyOf(name),
    status: status as Status,
    upNumber: number ? Number(number) : null,
    row: {
      version: unreachable.length + (flags?.length ?? 0),
      unreachable,
      unwell: flags?.includes('!') ?? false,
      cutOff: flags?.includes('?') ?? false,
    },
    roles: role ? [role] : [],
    appVersion: '1',
  };
}

export const setOf = (names: string): Set<string> => new Set([...names].map((name) => keyOf(name)));

/** Keys back to names: `A#1` is `A`, `B#2` is `B2`. */
export const namesOf = (keys: Iterable<string>): string =>
  [...keys].map((key) => key.replace('#1', '').replace('#', '')).join('');
