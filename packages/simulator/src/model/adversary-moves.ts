/** What nobody wants and everybody must bear: Down marks, leaves, exits, crashes, partitions. */
import type { Board } from './board.js';
import { hasLeft, SHIFT, sideOf, spend, withSide } from './budget.js';

/** Any member marks any other live member Down; any member lets any Up member leave. */
export function commandMoves(board: Board): void {
  const { env, conduct, world } = board;
  const downs = world.plan.havoc && hasLeft(env, SHIFT.downs);
  const leaves = hasLeft(env, SHIFT.leaves);
  if (!downs && !leaves) return;
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const id = board.id(process);
    const others = world.table(process).others[id] as number;
    for (let subject = 0; subject < board.size; subject += 1) {
      const isOther = (others >> subject) & 1;
      if (downs && isOther) {
        const next = conduct.down(process, id, subject);
        board.step('down', process, subject, process, next, spend(env, SHIFT.downs));
      }
      if (leaves && (isOther || subject === process)) {
        const next = conduct.leave(process, id, subject);
        board.step('leave', process, subject, process, next, spend(env, SHIFT.leaves));
      }
    }
  }
}

export function endingMoves(board: Board): void {
  const { env, conduct, world } = board;
  const quits = hasLeft(env, SHIFT.quits);
  const crashes = hasLeft(env, SHIFT.crashes);
  if (!quits && !crashes) return;
  const crashable = world.plan.crashable === '' ? -1 : world.cast.maskOf(world.plan.crashable);
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isRunning(process)) continue;
    const id = board.id(process);
    if (quits) {
      const next = conduct.quit(process, id);
      board.step('quit', process, -1, process, next, spend(env, SHIFT.quits));
    }
    if (crashes && (crashable >> process) & 1) {
      const next = conduct.vanish(process, id);
      board.step('crash', process, -1, process, next, spend(env, SHIFT.crashes));
    }
  }
}

/**
 * One partition at a time; its side is the one that the first process is on, or the planned one.
 */
export function partitionMoves(board: Board): void {
  const { env, world } = board;
  if (sideOf(env) !== 0) {
    if (world.plan.heals) board.change('heal', -1, withSide(env, 0));
    return;
  }
  if (!hasLeft(env, SHIFT.splits)) return;
  const spent = spend(env, SHIFT.splits);
  const planned = world.cast.maskOf(world.plan.splitSides);
  if (planned !== 0) return board.change('split', planned, withSide(spent, planned));
  const all = (1 << board.size) - 1;
  for (let side = 1; side < all; side += 2) board.change('split', side, withSide(spent, side));
}
