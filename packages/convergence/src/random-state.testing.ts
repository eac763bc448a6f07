/**
 * Any state at all, without a history: for the functions of one state, which must hold for whatever
 * they are given. States that two nodes could really hold at once come from `walk.testing.ts`.
 */
import {
  type DowningStrategy,
  type Member,
  type NodeKey,
  type Rules,
  State,
  type Status,
} from './index.js';
import type { Draw } from './walk.testing.js';

const statuses: readonly Status[] = [
  'Joining',
  'WeaklyUp',
  'Up',
  'Up',
  'Up',
  'Up',
  'Leaving',
  'Exiting',
  'Down',
  'Exited',
];

const keyAt = (index: number): NodeKey => `ws://10.0.0.${index % 7}:${7000 + index}#u${index % 3}`;

export interface Shape {
  /** Names per row, at most. */
  readonly naming: number;
  /** One row in this many carries a flag. */
  readonly flags: number;
}

export function randomState(
  draw: Draw,
  size: number,
  shape: Shape = { naming: 2, flags: 5 },
): State {
  const epoch = 3 + draw(4);
  const keys = Array.from({ length: size }, (_, index) => keyAt(index));
  const members = keys.map((key): Member => {
    const status = statuses[draw(statuses.length)] as Status;
    const isYoung = status === 'Joining' || status === 'WeaklyUp';
    const isUnborn = isYoung || (status === 'Down' && draw(3) === 0);
    return {
      key,
      status,
      upNumber: isUnborn ? null : 1 + draw(epoch),
      row: {
        version: draw(4),
        unreachable: Array.from({ length: draw(shape.naming + 1) }, () => keyAt(draw(size + 2))),
        unwell: draw(shape.flags) === 0,
        cutOff: draw(shape.flags) === 0,
      },
      roles: draw(2) === 0 ? ['worker'] : [],
      appVersion: '1',
    };
  });
  const removed = draw(2) === 0 ? [] : ['ws://gone:1#x', 'ws://gone:1#y'];
  return State.from({ clusterId: keys[0] ?? 'A#1', epoch, members, removed });
}

const strategies: readonly DowningStrategy[] = [
  'manual',
  'keep-majority',
  'lease-majority',
  'static-quorum',
  'keep-oldest',
  'down-all',
];

export function randomRules(draw: Draw): Rules {
  return {
    observers: 1 + draw(3),
    rings: 1 + draw(4),
    strategy: strategies[draw(strategies.length)] ?? 'manual',
    quorum: 1 + draw(4),
    role: draw(3) === 0 ? 'worker' : null,
    downIfAlone: draw(3) > 0,
    tieOldest: draw(2) === 0,
  };
}
