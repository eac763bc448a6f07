/**
 * Where a fair run may come to rest (PROTOCOL "Invariants", Live): one state, seen by all,
 * everybody in it Up and running, nothing uncommitted, nobody accused of what is not so, no joiner
 * or leaver stuck.
 */
import type { Board } from './board.js';
import { type Complaint, complaint } from './complaint.js';
import type { Local } from './local.js';
import { heardBy } from './own-moves.js';

export interface Rested {
  readonly wrong: Complaint | null;
  /** How many run on. */
  readonly survivors: number;
}

const stuck = (text: string): Complaint => complaint('LIVENESS', text);

export function checkRest(board: Board): Rested {
  const { world, size } = board;
  const locals = Array.from({ length: size }, (_, at) => world.table(at).get(board.id(at)));
  const running = locals.filter(({ replica }) => replica !== null);
  const wanted = world.plan.live?.survivors ?? 0;
  const survivors = running.length;
  if (survivors === 0) return { survivors, wrong: wanted > 0 ? stuck('nobody survived') : null };
  const wrong = checkGoal(board, running);
  if (wrong !== null || survivors >= wanted) return { survivors, wrong };
  return { survivors, wrong: stuck(`${survivors} survived, ${wanted} should have`) };
}

function checkGoal(board: Board, running: readonly Local[]): Complaint | null {
  const { world } = board;
  const first = running[0]?.replica;
  if (!first) return null;
  for (const { stage, replica } of running) {
    if (replica === null) continue;
    if (stage !== 'member') return stuck(`${replica.self} is stuck, ${stage}`);
    if (replica.state !== first.state) return stuck('digests differ in a quiescent state');
    if (!replica.seen.isAll) return stuck('not everybody is known to have seen the state');
  }
  const { state, seen } = first;
  const isRunning = (key: string) => running.some(({ replica }) => replica?.self === key);
  for (const { key, status, row } of state.members) {
    if (!isRunning(key)) return stuck(`${key} is gone and still a member`);
    if (status !== 'Up') return stuck(`${key} stays ${status}`);
    if (row.unwell || row.cutOff) return stuck(`${key} keeps a flag`);
    const heard = heardBy(board, world.cast.indexOf(key));
    if (world.cast.maskOfKeys(row.unreachable) & heard) return stuck(`${key} keeps a stale row`);
  }
  const isOpen = state.members.some(({ upNumber }) => upNumber === state.epoch);
  if (isOpen) return stuck('promotion never committed');
  const isDue = world.under.f(state, world.rules, seen) !== null;
  return isDue ? stuck('a fire is due and does not come') : null;
}
