/** What a process does by itself: fire, leave the cluster, watch others, say how it is. */
import type { Board } from './board.js';
import { hasLeft, SHIFT, spend } from './budget.js';
import { NONE } from './lookup.js';

export function fireMoves(board: Board): void {
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const id = board.id(process);
    const next = board.settling.fire(process, id);
    if (next === NONE) continue;
    board.checkFires('fire', process, -1, process, id);
    board.step('fire', process, -1, process, next);
  }
}

/** Whoever sees itself Exiting says its last word when its tasks are done, and goes when it may. */
export function farewellMoves(board: Board): void {
  for (let process = 0; process < board.size; process += 1) {
    const id = board.id(process);
    if (board.isVoting(process)) {
      board.step('exit', process, -1, process, board.conduct.exit(process, id));
      if (board.world.plan.weak) {
        board.step('weaklyUp', process, -1, process, board.conduct.weaklyUp(process, id));
      }
    } else if (isFarewellOver(board, process)) {
      board.step('goodbye', process, -1, process, board.conduct.vanish(process, id));
    }
  }
}

/** Only a variant lets an exited node go for less than news of its removal (X07). */
function isFarewellOver(board: Board, process: number): boolean {
  const { under } = board.world;
  const { stage, replica } = board.world.table(process).get(board.id(process));
  if (stage !== 'exited' || replica === null) return false;
  const reachable = board.reachable(process);
  for (let other = 0; other < board.size; other += 1) {
    if (!((reachable >> other) & 1) || !board.isVoting(other)) continue;
    const listener = board.world.table(other).get(board.id(other)).replica;
    if (listener !== null && under.isFarewellOver(replica, listener.state)) return true;
  }
  return false;
}

/** Whoever is named and heard is named no longer; flags are brought in line with what is so. */
export function hearingMoves(board: Board): void {
  const { conduct, world } = board;
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const id = board.id(process);
    const named = world.table(process).named[id] as number;
    const wrongly = named === 0 ? 0 : named & heardBy(board, process);
    for (let subject = 0; subject < board.size; subject += 1) {
      if (!((wrongly >> subject) & 1)) continue;
      board.step('clear', process, subject, process, conduct.clear(process, id, subject));
    }
    if (world.plan.fate) board.step('fate', process, -1, process, conduct.flagFate(process, id));
    board.step('well', process, -1, process, conduct.well(process, id));
  }
}

/** A member that is dead, out of reach, or no longer answers is accused after some silence. */
export function silenceMoves(board: Board): void {
  const { conduct, world } = board;
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const id = board.id(process);
    const table = world.table(process);
    const unnamed = (table.others[id] as number) & ~(table.named[id] as number);
    const silent = unnamed === 0 ? 0 : unnamed & ~heardBy(board, process);
    for (let subject = 0; subject < board.size; subject += 1) {
      if (!((silent >> subject) & 1)) continue;
      board.step('accuse', process, subject, process, conduct.accuse(process, id, subject));
    }
  }
}

/** Whose heartbeats a process hears: they run, are in reach, and hold it for a member. */
export function heardBy(board: Board, process: number): number {
  const candidates = board.reachable(process) & ~board.world.cast.deafTo(process);
  let heard = 0;
  for (let other = 0; other < board.size; other += 1) {
    if (!((candidates >> other) & 1) || !board.isRunning(other)) continue;
    const answers = board.world.table(other).answers[board.id(other)] as number;
    if ((answers >> process) & 1) heard |= 1 << other;
  }
  return heard;
}

/** False accusations and flags, as often as the plan allows. */
export function markMoves(board: Board): void {
  const { env, conduct, world } = board;
  const marks = hasLeft(env, SHIFT.marks);
  const flags = hasLeft(env, SHIFT.flags);
  if (!marks && !flags) return;
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const id = board.id(process);
    if (flags) {
      const spent = spend(env, SHIFT.flags);
      board.step('unwell', process, -1, process, conduct.unwell(process, id), spent);
      if (!world.plan.fate) {
        board.step('cutOff', process, -1, process, conduct.cutOff(process, id), spent);
      }
    }
    if (!marks) continue;
    const spent = spend(env, SHIFT.marks);
    const table = world.table(process);
    const wrongly = heardBy(board, process) & (table.others[id] as number);
    for (let subject = 0; subject < board.size; subject += 1) {
      if (!((wrongly >> subject) & 1)) continue;
      board.step('mark', process, subject, process, conduct.accuse(process, id, subject), spent);
    }
  }
}
