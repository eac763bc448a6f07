/**
 * What only waiting brings about (PROTOCOL "When a node stops itself"): a refused newcomer starts
 * over, an exited node has lingered long enough, a node without a quorum or a newcomer without an
 * answer gives up.
 */
import type { Board } from './board.js';

const PROCESS_SHIFT = 16;

/**
 * An acceptor that no longer admits it says so, or is gone, and the newcomer starts over. Under a
 * fresh uid it is a process that nobody has heard of, so the model lets it have its old name again;
 * not if one of its messages may still be on its way.
 */
export function refusedMoves(board: Board): void {
  for (let newcomer = 0; newcomer < board.size; newcomer += 1) {
    const acceptor = acceptorOf(board, newcomer);
    if (acceptor < 0 || !isRefused(board, newcomer, acceptor)) continue;
    giveUpJoining(board, 'retry', newcomer);
  }
}

function isRefused(board: Board, newcomer: number, acceptor: number): boolean {
  if (!board.isRunning(acceptor)) return true;
  if (!((board.reachable(newcomer) >> acceptor) & 1)) return false;
  return board.conduct.admits(acceptor, board.id(acceptor), newcomer) === 0;
}

/** The acceptor of a newcomer whose introduction nobody has taken, or -1. */
function acceptorOf(board: Board, newcomer: number): number {
  const table = board.world.table(newcomer);
  const id = board.id(newcomer);
  return table.get(id).stage === 'introducing' ? (table.token[id] as number) : -1;
}

function giveUpJoining(board: Board, move: 'retry' | 'timeout', newcomer: number): void {
  const { conduct } = board;
  const id = board.id(newcomer);
  let isKnown = acceptorOf(board, newcomer) < 0;
  for (let at = 1 + board.size; at < board.from.length; at += 1) {
    if ((board.from[at] as number) >> PROCESS_SHIFT === newcomer) isKnown = true;
  }
  const next = isKnown ? conduct.vanish(newcomer, id) : conduct.startOver(newcomer, id);
  board.step(move, newcomer, -1, newcomer, next);
}

/** An exited node stops when its linger is over, whoever has heard it (PROTOCOL "Leaving"). */
export function lingerMoves(board: Board): void {
  for (let process = 0; process < board.size; process += 1) {
    const id = board.id(process);
    if (board.world.table(process).get(id).stage !== 'exited') continue;
    board.step('linger', process, -1, process, board.conduct.vanish(process, id));
  }
}

/**
 * 7.3 as it ships: who reaches no quorum stops. S5: who is listed by nobody it hears starts over.
 */
export function timeoutMoves(board: Board): void {
  const { conduct } = board;
  for (let process = 0; process < board.size; process += 1) {
    const id = board.id(process);
    if (isForgotten(board, process)) {
      giveUpJoining(board, 'timeout', process);
    } else if (conduct.lost(process, id) === 1) {
      board.step('timeout', process, -1, process, conduct.vanish(process, id));
    }
  }
}

/** A newcomer without an answer, or one that was let in by somebody who is gone and told nobody. */
function isForgotten(board: Board, process: number): boolean {
  const { stage, replica } = board.world.table(process).get(board.id(process));
  if (stage === 'introducing') return true;
  const status = replica?.state.get(replica.self)?.status;
  if (replica === null || (status !== 'Joining' && status !== 'WeaklyUp')) return false;
  const reachable = board.reachable(process);
  for (let other = 0; other < board.size; other += 1) {
    if (!((reachable >> other) & 1) || !board.isVoting(other)) continue;
    if (board.world.table(other).get(board.id(other)).replica?.state.has(replica.self))
      return false;
  }
  return true;
}
