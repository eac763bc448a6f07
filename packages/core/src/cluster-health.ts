/** `cluster.health`, over a driver. */
import type { ClusterHealth } from './cluster.js';
import { checkNode, checkOutcome } from './command-arguments.js';
import type { Driver } from './driver.js';
import type { Guard } from './guarded.js';
import { findMember } from './streams.js';

export function healthOf(driver: Driver, guard: Guard): ClusterHealth {
  return {
    get score() {
      return driver.machine.healthScore;
    },
    get degraded() {
      return driver.degraded.value;
    },
    degraded$: guard.over('degraded$', driver.degraded),
    report(node, isGood) {
      checkNode(node);
      checkOutcome(isGood);
      const subject = findMember(driver.states.value, node)?.node;
      if (subject !== undefined) driver.step({ kind: 'report', subject, isGood });
    },
  };
}
