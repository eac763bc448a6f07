/**
 * What must hold of all replicas together, asked from outside (PROTOCOL "Invariants"). Each
 * complaint names its invariant. I1 and what one node can see alone is asserted by the shipped
 * `assertInvariants`.
 */
import type { Process } from './cluster.testing.js';
import { assertAgreement, isLive, merge, type State } from './index.js';

/** I5: whoever fires a state, every running voter of it holds at least that state. */
export function checkFire(fired: State, running: readonly Process[]): void {
  for (const { replica } of running) {
    const { self, state } = replica;
    if (fired.electorateIndex(self) < 0 || state.epoch > fired.epoch) continue;
    if (merge(state, fired) !== state) throw new Error(`I5: ${self} has not seen what was fired`);
  }
}

/** I2, I4, I6a, I6b and I6d. */
export function checkAll(running: readonly Process[]): void {
  for (const x of running) {
    const back = [...x.removed].find((key) => x.replica.state.has(key));
    if (back) throw new Error(`I2: ${back} is back at ${x.replica.self}`);
    for (const y of running) if (x !== y) checkPair(x, y);
  }
}

const holdsLive = (x: Process, y: Process): boolean => {
  const status = x.replica.state.get(y.replica.self)?.status;
  return status !== undefined && isLive(status);
};

function checkPair(x: Process, y: Process): void {
  const [a, b] = [x.replica.self, y.replica.self];
  if (holdsLive(x, y) && holdsLive(y, x)) {
    assertAgreement(x.replica.state, y.replica.state);
    if (x.replica.state.epoch === y.replica.state.epoch) {
      const differs = [...x.removed].find((key) => y.replica.state.has(key));
      if (differs) throw new Error(`I2: ${differs} is removed at ${a}, a member at ${b}`);
    }
  }
  if (x.removed.has(b)) checkRemoved(x, y);
}

/** x has removed y, which still runs and does not know. */
function checkRemoved(x: Process, y: Process): void {
  const [a, b] = [x.replica.self, y.replica.self];
  if (y.removed.has(a)) throw new Error(`I6a: ${a} and ${b} have removed each other`);
  const more = [...y.removed].find((key) => !x.removed.has(key));
  if (more) throw new Error(`I6b: ${b}, removed by ${a}, has removed ${more} on its own`);
  for (const { key, upNumber } of y.replica.state.members) {
    const known = x.replica.state.get(key);
    const isPast = x.removed.has(key) || (known && !isLive(known.status));
    if (upNumber === null || isPast || known?.upNumber === upNumber) continue;
    throw new Error(`I6d: ${b}, removed by ${a}, has promoted ${key} on its own`);
  }
}
