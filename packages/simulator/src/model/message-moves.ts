/**
 * Messages: gossip by any process to any live member of its view, notices, joins, and stale
 * snapshots.
 */
import type { Board } from './board.js';
import { complaint } from './complaint.js';
import { ENDED_FALSELY, isNotice, UNKNOWN } from './deliveries.js';
import { NONE } from './lookup.js';

/** Any process tells any partner it can reach what it holds, or is told that it is no member. */
export function gossipMoves(board: Board): void {
  for (let from = 0; from < board.size; from += 1) {
    if (!board.isRunning(from)) continue;
    const partners = board.world.table(from).partners[board.id(from)] as number;
    const targets = partners & board.reachable(from);
    for (let to = 0; to < board.size; to += 1) {
      if ((targets >> to) & 1 && board.isRunning(to)) deliver(board, from, to);
    }
  }
}

function deliver(board: Board, from: number, to: number): void {
  const { deliveries, conduct, world } = board;
  const [a, b] = [board.id(from), board.id(to)];
  const answer = deliveries.gossip(from, a, to, b);
  if (answer === NONE) return;
  if (answer >= 0) return board.step('gossip', from, to, to, answer);
  if (world.table(from).token[a] === to) return introduce(board, from, a, to, false);
  if (answer === UNKNOWN) return;
  if (answer === ENDED_FALSELY) {
    board.fail('notice', from, to, complaint('S2', 'a notice ends a node that nobody removed'));
  }
  if (world.plan.notices && isNotice(answer)) {
    board.step('notice', from, to, from, conduct.vanish(from, a));
  }
}

/** The acceptor lets a newcomer in, which uses up the token wherever the newcomer is by now. */
function introduce(board: Board, from: number, snapshot: number, to: number, stale: boolean): void {
  const next = board.deliveries.introduction(from, snapshot, to, board.id(to));
  if (next === NONE) return;
  const used = board.conduct.letIn(from, board.id(from));
  board.stepWith(stale ? 'stale' : 'gossip', from, to, to, next, from, used);
}

/** Whoever is not there yet asks any member, and follows the Welcome of one. */
export function joinMoves(board: Board): void {
  const { world } = board;
  for (let newcomer = 0; newcomer < board.size; newcomer += 1) {
    const id = board.id(newcomer);
    const { stage, acceptor, accepted } = world.table(newcomer).get(id);
    if (stage === 'off' ? mayStart(board, newcomer) : stage === 'introducing' && !accepted) {
      const reachable = board.reachable(newcomer);
      for (let at = 0; at < board.size; at += 1) {
        const isAsked = stage === 'off' || at === acceptor;
        if (isAsked && (reachable >> at) & 1 && board.isVoting(at))
          ask(board, newcomer, at, stage === 'off');
      }
    }
  }
}

function mayStart(board: Board, newcomer: number): boolean {
  const earlier = board.world.cast.before[newcomer] as number;
  return earlier < 0 || board.world.table(earlier).get(board.id(earlier)).stage === 'gone';
}

function ask(board: Board, newcomer: number, acceptor: number, isFirst: boolean): void {
  const { conduct, deliveries } = board;
  const id = board.id(acceptor);
  const changed = isFirst ? conduct.asked(acceptor, id, newcomer) : NONE;
  if (changed !== NONE) return board.step('join', newcomer, acceptor, acceptor, changed);
  const welcomed = deliveries.welcome(acceptor, id, newcomer, board.id(newcomer));
  if (welcomed !== NONE) board.step('welcome', acceptor, newcomer, newcomer, welcomed);
}

/** A snapshot is its sender's number and, above 16 bits, the sender. */
const PROCESS_SHIFT = 16;
const ID_MASK = 0xffff;

export function keepMoves(board: Board): void {
  if (board.from[board.from.length - 1] !== -1) return;
  for (let process = 0; process < board.size; process += 1) {
    if (board.isRunning(process)) {
      board.keep(process, board.id(process) | (process << PROCESS_SHIFT));
    }
  }
}

/** What was once on its way arrives, again and again and at anybody, as gossip and as Welcome. */
export function staleMoves(board: Board): void {
  for (let at = 1 + board.size; at < board.from.length; at += 1) {
    const snapshot = board.from[at] as number;
    if (snapshot < 0) continue;
    const from = snapshot >> PROCESS_SHIFT;
    const id = snapshot & ID_MASK;
    const others = board.world.table(from).others[id] as number;
    for (let to = 0; to < board.size; to += 1) {
      if (to === from) continue;
      if ((others >> to) & 1 && board.isRunning(to)) deliverStale(board, from, id, to);
      welcomeLate(board, from, id, to);
    }
  }
}

function deliverStale(board: Board, from: number, snapshot: number, to: number): void {
  const answer = board.deliveries.gossip(from, snapshot, to, board.id(to));
  if (answer >= 0) return board.step('stale', from, to, to, answer);
  if (answer === NONE || board.world.table(from).token[board.id(from)] !== to) return;
  introduce(board, from, snapshot, to, true);
}

function welcomeLate(board: Board, from: number, snapshot: number, to: number): void {
  const { stage, accepted } = board.world.table(to).get(board.id(to));
  if (stage === 'off' ? !mayStart(board, to) : stage !== 'introducing' || accepted) return;
  const next = board.deliveries.welcome(from, snapshot, to, board.id(to));
  if (next !== NONE) board.step('staleWelcome', from, to, to, next);
}
