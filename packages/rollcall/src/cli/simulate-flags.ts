/** From the flags of `rollcall simulate` to a plan to replay, or to a range of seeds. */
import { unusable } from './exit-code.js';
import type { Plan, Reduction, Simulator } from './simulate-package.js';
import { readText } from './text-file.js';

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
  readonly links?: boolean;
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
  /** Which events. */
  readonly shown: ReadonlySet<string>;
}

export interface SwarmRange {
  readonly start: number;
  readonly count: number;
  readonly jobs: number;
}

/** What says something about one history, about what is shown of it, and about a swarm. */
const OF_PLAN = ['without', 'nodes', 'steps', 'until'] as const;
const OF_TRACE = ['from', 'to', 'node', 'only', 'links', 'frames'] as const;
const OF_SWARM = ['start', 'jobs'] as const;

export function checkWhat(flags: SimulateFlags): void {
  const { seed, plan, swarm } = flags;
  const given = [seed, plan, swarm].filter((flag) => flag !== undefined).length;
  const what = '--seed N or --plan FILE replays one history, --swarm COUNT lives through many';
  if (given !== 1)
    throw unusable('--seed', given === 0 ? `simulate what? ${what}` : `only one of them: ${what}`);
  if (swarm === undefined) refuseAmong(OF_SWARM, flags, '--swarm');
  else refuseAmong([...OF_PLAN, ...OF_TRACE, 'printPlan'], flags, '--seed or --plan');
  if (flags.printPlan === true) refuseAmong(OF_TRACE, flags, 'a history, not with --print-plan');
}

/** What would be passed over in silence. */
function refuseAmong(
  names: readonly (keyof SimulateFlags)[],
  flags: SimulateFlags,
  partner: string,
): void {
  const stray = names.find((name) => flags[name] !== undefined);
  if (stray === undefined) return;
  const flag = `--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw unusable(flag, `${flag} goes with ${partner}`);
}

/** The plan of a seed or of a file, without what it is to go without. */
export function readPlanFlags(flags: SimulateFlags, simulator: Simulator): Plan {
  const words = OF_PLAN.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [`--${name}`, text.replace(/\s+/g, '')];
  });
  const given = flags.plan === undefined ? undefined : readPlanFile(flags.plan, simulator);
  try {
    const { seed, reduction } = simulator.readReplay(
      ['--seed', flags.seed ?? '0', ...words].join(' '),
    );
    const whole = given ?? simulator.planOf(seed);
    checkReduction(reduction, whole);
    return simulator.reduce(whole, reduction);
  } catch (error) {
    throw unusable('--seed', (error as Error).message, error);
  }
}

/** Whatever is left out or kept has to be there. */
function checkReduction(
  { nodes, steps = [] }: Reduction,
  { nodes: all, steps: every }: Plan,
): void {
  if (nodes !== undefined && (nodes < 1 || nodes > all.length))
    throw new Error(`--nodes keeps 1 to ${all.length} nodes of this history, not ${nodes}`);
  const numbers = every.filter(({ kind }) => kind !== 'start').map(({ id }) => id);
  const stray = steps.find((step) => !numbers.includes(step));
  if (stray === undefined) return;
  throw new Error(`--steps knows no ${stray}; there is ${numbers.join(', ') || 'none'}`);
}

function readPlanFile(file: string, simulator: Simulator): Plan {
  const text = readText('--plan', file);
  try {
    return simulator.readPlan(text);
  } catch (cause) {
    throw unusable('--plan', `--plan ${file} is no plan: ${(cause as Error).message}`, cause);
  }
}

/** Refuses what would show nothing: a node or an event that there is not, a span that ends before it begins. */
export function readFilter(flags: SimulateFlags, plan: Plan, simulator: Simulator): TraceFilter {
  const { from, to, node } = flags;
  const fromMs = from === undefined ? 0 : readNumber('--from', from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : readNumber('--to', to);
  if (toMs < fromMs) throw unusable('--to', `--to ${toMs} is before --from ${fromMs}`);
  if (node !== undefined) oneOf('--node', node, plan.nodes);
  return { fromMs, toMs, node, shown: shownWords(flags, simulator) };
}

/** Links come and go so often that they are shown only when they are asked for. */
function shownWords({ only, links, frames }: SimulateFlags, simulator: Simulator) {
  const known = Object.entries(simulator.TRACE_WORDS);
  if (only === undefined) {
    const shown = known.filter(([, of]) => links === true || of !== 'link');
    return new Set(shown.map(([word]) => word));
  }
  const words = known.map(([word]) => word);
  const asked = new Set(only.split(',').map((word) => oneOf('--only', word.trim(), words)));
  const stray = known.find(([word, of]) => of === 'frame' && asked.has(word));
  if (stray === undefined || frames === true) return asked;
  throw unusable('--only', `--only ${stray[0]} needs --frames`);
}

function oneOf(flag: string, given: string, known: readonly string[]): string {
  if (known.includes(given)) return given;
  throw unusable(flag, `${flag} knows no '${given}'; there is ${known.join(', ')}`);
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
