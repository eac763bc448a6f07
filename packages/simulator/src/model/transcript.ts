/**
 * The shortest way to a violation, told step by step: the move in the notation of the listed
 * traces, and what it made of the processes it changed. Only positions are stored during a search;
 * which move led from one to the next is found again by trying them.
 */
import type { Board, Visitor } from './board.js';
import { nameOf } from './cast.js';
import type { Local } from './local.js';
import { type Move, notationOf } from './move.js';
import type { Search } from './search.js';

interface Step {
  readonly move: string;
  /** One line for each process that is another one now. */
  readonly changes: readonly string[];
}

export interface Transcript {
  readonly steps: readonly Step[];
  /** The moves alone, as the listed traces are written. */
  readonly line: string;
}

export function transcriptOf(search: Search): Transcript {
  const { found } = search;
  if (found === null) return { steps: [], line: '' };
  const path: number[] = [];
  for (let at = found.at; at >= 0; at = search.visited.parentOf(at)) path.unshift(at);
  const steps: Step[] = [];
  for (let next = 1; next < path.length; next += 1) {
    steps.push(stepBetween(search, path[next - 1] as number, path[next] as number));
  }
  if (found.move !== null) {
    const { move, a, b } = found.move;
    steps.push(stepThat(search, found.at, (m, x, y) => m === move && x === a && y === b));
  }
  return { steps, line: steps.map(({ move }) => move).join('; ') };
}

function stepBetween(search: Search, from: number, to: number): Step {
  search.recall(to);
  const wanted = search.board.from.slice();
  return stepThat(search, from, (_m, _a, _b, board) =>
    board.to.every((value, at) => value === wanted[at]),
  );
}

type Wanted = (move: Move, a: number, b: number, board: Board) => boolean;

function stepThat(search: Search, from: number, isWanted: Wanted): Step {
  let step: Step | null = null;
  const { board, world } = search;
  search.recall(from);
  const visitor: Visitor = {
    visit: (move, a, b) => {
      if (step === null && isWanted(move, a, b, board)) {
        step = { move: notationOf(world.cast, move, a, b), changes: changesOn(board) };
      }
    },
    fail: (move, a, b) => {
      if (step === null && isWanted(move, a, b, board)) {
        step = { move: notationOf(world.cast, move, a, b), changes: [] };
      }
    },
  };
  search.lookAround(visitor);
  return step ?? { move: '?', changes: [] };
}

function changesOn({ world, from, to, size }: Board): string[] {
  const changes: string[] = [];
  for (let process = 0; process < size; process += 1) {
    const now = to[1 + process] as number;
    if (now === from[1 + process]) continue;
    changes.push(`${world.cast.names[process]}: ${describe(world.table(process).get(now))}`);
  }
  return changes;
}

/**
 * `@5 A:Up1 B:Down2 C:Joining -D seen A,C`: epoch, members with numbers, removed by the last fire.
 */
function describe({ stage, replica }: Local): string {
  if (replica === null) return stage;
  const { state, seen } = replica;
  const members = state.members.map(({ key, status, upNumber, row }) => {
    const says =
      row.unreachable.length > 0 ? [`names ${row.unreachable.map(nameOf).join('')}`] : [];
    if (row.unwell) says.push('unwell');
    if (row.cutOff) says.push('cutOff');
    const aside = says.length > 0 ? `(${says.join(', ')})` : '';
    return `${nameOf(key)}:${status}${upNumber ?? ''}${aside}`;
  });
  const removed = state.removed.map((key) => `-${nameOf(key)}`);
  const who = state.electorateKeys.filter((_, index) => seen.has(index)).map(nameOf);
  const what = [`@${state.epoch}`, ...members, ...removed, `seen ${who.join(',') || 'nobody'}`];
  const isPlain = stage === 'member';
  return `${isPlain ? '' : `(${stage}) `}${what.join(' ')}`;
}
