/** From the flags of `rollcall simulate` to a plan to replay, or to a range of seeds. */
import { readFileSync } from 'node:fs';
import { unusable } from './exit-code.js';
import type { Plan, Simulator } from './simulate-package.js';

/** As commander gives them. */
export interface SimulateFlags {
  readonly seed?: string;
  readonly plan?: string;
  readonly without?: string;
  readonly nodes?: string;
  readonly steps?: string;
  readonly until?: string;
  readonly printPlan?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly node?: string;
  readonly only?: string;
  readonly frames?: boolean;
  readonly json?: boolean;
  readonly swarm?: string;
  readonly start?: string;
  readonly jobs?: string;
}

/** Which of a trace's entries are shown. */
export interface TraceFilter {
  readonly fromMs: number;
  readonly toMs: number;
  readonly node: string | undefined;
  readonly only: ReadonlySet<string> | undefined;
}

export interface SwarmRange {
  readonly start: number;
  readonly count: number;
  readonly jobs: number;
}

export function checkWhat({ seed, plan, swarm }: SimulateFlags): void {
  const given = [seed, plan, swarm].filter((flag) => flag !== undefined).length;
  if (given === 1) return;
  const what = '--seed N or --plan FILE replays one history, --swarm COUNT lives through many';
  throw unusable('--seed', given === 0 ? `simulate what? ${what}` : `only one of them: ${what}`);
}

/** The plan of a seed or of a file, without what it is to go without. */
export function readPlanFlags(flags: SimulateFlags, simulator: Simulator): Plan {
  const words = (['without', 'nodes', 'steps', 'until'] as const).flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [`--${name}`, text.replace(/\s+/g, '')];
  });
  try {
    const { seed, reduction } = simulator.readReplay(
      ['--seed', flags.seed ?? '0', ...words].join(' '),
    );
    const whole =
      flags.plan === undefined ? simulator.planOf(seed) : readFile(flags.plan, simulator);
    return simulator.reduce(whole, reduction);
  } catch (error) {
    throw unusable('--seed', (error as Error).message, error);
  }
}

function readFile(file: string, simulator: Simulator): Plan {
  try {
    return simulator.readPlan(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`--plan ${file} is no plan: ${(cause as Error).message}`, { cause });
  }
}

export function readFilter({ from, to, node, only }: SimulateFlags): TraceFilter {
  return {
    fromMs: from === undefined ? 0 : readNumber('--from', from),
    toMs: to === undefined ? Number.POSITIVE_INFINITY : readNumber('--to', to),
    node,
    only: only === undefined ? undefined : new Set(only.split(',').map((word) => word.trim())),
  };
}

export function readRange({ swarm = '', start, jobs }: SimulateFlags, cores: number): SwarmRange {
  const count = readNumber('--swarm', swarm);
  if (count < 1) throw unusable('--swarm', '--swarm takes how many seeds, at least 1');
  return {
    start: start === undefined ? 0 : readNumber('--start', start),
    count,
    jobs: Math.min(count, Math.max(1, jobs === undefined ? cores : readNumber('--jobs', jobs))),
  };
}

function readNumber(flag: string, text: string): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value))
    throw unusable(flag, `${flag} takes a whole number, not '${text}'`);
  return value;
}
