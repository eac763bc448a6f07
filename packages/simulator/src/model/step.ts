/**
 * One step of one process, from the number of one value to the number of the next: calls the rules,
 * checks what must hold from one value to the next, and turns whatever throws into a complaint.
 */
import type { Replica } from '@rollcall/convergence';
import { complaint } from './complaint.js';
import { goneFrom, type Local, withReplica } from './local.js';
import { NONE } from './lookup.js';
import { checkStep } from './step-check.js';
import type { World } from './world.js';

/** The number of the value after a step; `NONE` if nothing changes. */
export function stepTo(
  world: World,
  process: number,
  id: number,
  make: (local: Local) => Local | null,
): number {
  const table = world.table(process);
  const before = table.get(id);
  const next = table.idOf(attempt(world, before, make) ?? before);
  return next === id ? NONE : next;
}

function attempt(world: World, before: Local, make: (local: Local) => Local | null): Local | null {
  try {
    const after = make(before);
    if (after === null || after.wrong !== null) return after;
    const wrong = checkStep(world, before, after);
    return wrong === null ? after : { ...after, wrong };
  } catch (error) {
    // The shipped code asserts; a sentence of its own says what is not true.
    const text = error instanceof Error ? error.message : String(error);
    return { ...before, wrong: complaint('assertion', text) };
  }
}

/** A change that a process makes by itself. */
export const changeBy =
  (make: (r: Replica) => Replica) =>
  (local: Local): Local | null => {
    if (local.replica === null) return null;
    const next = make(local.replica);
    return next === local.replica ? null : withReplica(local, next);
  };

export const vanish = (world: World, process: number, id: number): number =>
  stepTo(world, process, id, (local) => goneFrom(local, world.plan.pool > 0));
