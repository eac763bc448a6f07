/**
 * All that may happen next, in the order of fairness (the L runs): the adversary may act at any
 * time or never; what is nobody's fault happens in the end; decisions wait until nothing else moves
 * (that is stable-after), and time-outs until not even a decision does.
 */
import { commandMoves, endingMoves, partitionMoves } from './adversary-moves.js';
import type { Board } from './board.js';
import { gossipMoves, joinMoves, keepMoves, staleMoves } from './message-moves.js';
import { farewellMoves, fireMoves, hearingMoves, markMoves, silenceMoves } from './own-moves.js';
import { lingerMoves, refusedMoves, timeoutMoves } from './waiting-moves.js';

/** How a position may go on by itself: not at all, by waiting for a time-out, or otherwise. */
export type Rest = 'moving' | 'waiting' | 'still';

export function turn(board: Board): Rest {
  const { plan } = board.world;
  adversary(board);
  const before = board.moves;
  gossipMoves(board);
  joinMoves(board);
  if (plan.firing === 'delayed') fireMoves(board);
  farewellMoves(board);
  if (plan.rows) hearingMoves(board);
  if (plan.rows && !plan.patience) silenceMoves(board);
  if (plan.decide === 'anytime') decisionMoves(board);
  if (board.world.under.retriesAsItself) retryMoves(board);
  if (plan.live === null) return 'moving';
  refusedMoves(board);
  if (board.moves > before) return 'moving';
  if (plan.rows && plan.patience) silenceMoves(board);
  if (board.moves > before) return 'moving';
  if (plan.decide === 'settled') decisionMoves(board);
  if (board.moves > before) return 'moving';
  timeoutMoves(board);
  if (board.moves > before) return 'waiting';
  lingerMoves(board);
  return board.moves > before ? 'moving' : 'still';
}

function adversary(board: Board): void {
  commandMoves(board);
  endingMoves(board);
  const { plan } = board.world;
  if (plan.splits > 0) partitionMoves(board);
  if (plan.rows) markMoves(board);
  if (plan.pool === 0) return;
  keepMoves(board);
  staleMoves(board);
}

function decisionMoves(board: Board): void {
  for (let process = 0; process < board.size; process += 1) {
    if (!board.isVoting(process)) continue;
    const next = board.conduct.decide(process, board.id(process));
    board.step('decide', process, -1, process, next);
  }
}

/**
 * An introduction that came to nothing is tried again; only a variant does so under the same uid.
 */
function retryMoves(board: Board): void {
  for (let process = 0; process < board.size; process += 1) {
    const id = board.id(process);
    if ((board.world.table(process).token[id] as number) < 0) continue;
    if (board.world.table(process).running[id] === 0) continue;
    board.step('timeout', process, -1, process, board.conduct.startOver(process, id));
  }
}
