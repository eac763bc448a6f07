/** What the convergence rules are told of the settings. */
import type { Rules } from '@rollcall/convergence';
import type { Settings } from './setting-table.js';

export function rulesOf({ agreement, heartbeat, downing }: Settings): Rules {
  return {
    observers: agreement.observers,
    rings: heartbeat.rings,
    strategy: downing.strategy,
    quorum: downing.quorum,
    role: downing.role === '' ? null : downing.role,
    downIfAlone: downing.downIfAlone,
    tieOldest: false,
  };
}
