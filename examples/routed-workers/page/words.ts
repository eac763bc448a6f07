/** The same in words, for the console and the page. */
import type { Mark, MarkKind, WorkerNow } from './news.js';

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const SENTENCES: Readonly<Record<MarkKind, (worker: string) => string>> = {
  killed: (worker) => `${worker} is killed`,
  avoided: (worker) => `the router avoids ${worker}`,
  unreachable: (worker) => `the cluster holds ${worker} unreachable`,
  removed: (worker) => `the cluster removes ${worker}; a new one starts`,
  back: (worker) => `${worker} answers again`,
};

export function sentence({ kind, worker, afterMs }: Mark): string {
  const when = kind === 'killed' || afterMs === undefined ? '' : `${seconds(afterMs)} later: `;
  return `${when}${SENTENCES[kind](worker)}`;
}

/** For a place where there is room for a few words. */
export function label({ kind, worker, afterMs }: Mark): string {
  if (kind === 'killed' || afterMs === undefined) return `${worker} ${SHORT[kind]}`;
  return `${SHORT[kind]} +${seconds(afterMs)}`;
}

const SHORT: Readonly<Record<MarkKind, string>> = {
  killed: 'killed',
  avoided: 'avoided',
  unreachable: 'unreachable',
  removed: 'removed',
  back: 'back',
};

const STATES: Readonly<Record<MarkKind, string>> = {
  killed: 'killed, not noticed yet',
  avoided: 'avoided by the router',
  unreachable: 'unreachable',
  removed: 'removed; a new one starts',
  back: 'answers',
};

export const stateOf = ({ last = 'back' }: WorkerNow): string => STATES[last];
