/**
 * A seed's plan with parts left out: what `--without`, `--nodes`, `--steps` and `--until` say. What is left
 * keeps its numbers and its moments, so a reduced plan replays from the seed and a few words.
 */
import { FAULTS, type Part, type Plan, partOf, type Step, WORK } from './plan.js';

/** All of it may be missing: then it is the whole plan. */
export interface Reduction {
  readonly without?: readonly Part[];
  /** Only the first so many nodes. */
  readonly nodes?: number;
  /** Only the steps with these numbers, beside the start of the first nodes. */
  readonly steps?: readonly number[];
  /** Faults end then, and what would happen later does not. */
  readonly untilMs?: number;
}

export const PARTS: readonly Part[] = [...WORK, ...FAULTS];

export function reduce(plan: Plan, reduction: Reduction): Plan {
  const { without = [], nodes, steps, untilMs } = reduction;
  const kept = plan.nodes.slice(0, nodes ?? plan.nodes.length);
  const isKept = new Set(kept);
  const faultsEndMs = Math.min(plan.faultsEndMs, untilMs ?? plan.faultsEndMs);
  const isIn = (step: Step) => {
    const part = partOf(step);
    if (part === undefined) return true;
    if (without.includes(part) || (untilMs !== undefined && step.atMs > untilMs)) return false;
    return steps === undefined || steps.includes(step.id);
  };
  const { supervisorMs, ...rest } = plan;
  const isSupervised = supervisorMs !== undefined && !without.includes('supervisor');
  return {
    ...rest,
    ...(isSupervised ? { supervisorMs } : {}),
    nodes: kept,
    seeds: plan.seeds.filter((name) => isKept.has(name)),
    voters: plan.voters.filter((name) => isKept.has(name)),
    levels: withoutLevels(plan.levels, without),
    steps: plan.steps.filter(isIn).flatMap((step) => among(step, isKept)),
    faultsEndMs,
  };
}

function withoutLevels(levels: Plan['levels'], without: readonly Part[]): Plan['levels'] {
  const left = Object.entries(levels).map(([fault, level]) => [
    fault,
    without.includes(fault as Part) ? 'off' : level,
  ]);
  return Object.fromEntries(left);
}

/** The step as far as it concerns these nodes; nothing if it concerns others. */
function among(step: Step, isKept: ReadonlySet<string>): Step[] {
  if ('node' in step && !isKept.has(step.node)) return [];
  const of = (names: readonly string[]) => names.filter((name) => isKept.has(name));
  switch (step.kind) {
    case 'down':
      return isKept.has(step.target) ? [step] : [];
    case 'partition': {
      const groups = step.groups.map(of).filter((group) => group.length > 0);
      return groups.length > 1 ? [{ ...step, groups }] : [];
    }
    case 'cut':
      return of(step.to).length > 0 ? [{ ...step, to: of(step.to) }] : [];
    case 'loss':
    case 'segments':
    case 'delay':
    case 'duplicate':
    case 'reorder': {
      if (step.around === undefined) return [step];
      const around = of(step.around);
      return around.length > 0 ? [{ ...step, around }] : [];
    }
    default:
      return [step];
  }
}

/** As it is typed behind `rollcall simulate`: `--seed 7 --without crash,loss --nodes 4`. */
export function replayWords(seed: number, reduction: Reduction = {}): string {
  const { without = [], nodes, steps, untilMs } = reduction;
  return [
    `--seed ${seed}`,
    ...(without.length > 0 ? [`--without ${without.join(',')}`] : []),
    ...(nodes === undefined ? [] : [`--nodes ${nodes}`]),
    ...(steps === undefined ? [] : [`--steps ${steps.length > 0 ? steps.join(',') : 'none'}`]),
    ...(untilMs === undefined ? [] : [`--until ${untilMs}`]),
  ].join(' ');
}

/** A seed and what it goes without. */
export interface Replay {
  readonly seed: number;
  readonly reduction: Reduction;
}

const TAKES: Readonly<Record<string, (text: string) => Reduction>> = {
  '--without': (text) => ({ without: readParts(text) }),
  '--nodes': (text) => ({ nodes: readCount(text, '--nodes') }),
  '--steps': (text) => ({ steps: readSteps(text) }),
  '--until': (text) => ({ untilMs: readCount(text, '--until') }),
};

/** Reads `replayWords` back; throws an Error that names what it cannot use. */
export function readReplay(words: string): Replay {
  const [flag, seed = '', ...rest] = words.trim().split(/\s+/);
  if (flag !== '--seed') throw new Error(`a replay begins with --seed N, not '${words}'`);
  let reduction: Reduction = {};
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', text = ''] = rest.slice(at, at + 2);
    const take = TAKES[name];
    if (take === undefined) throw new Error(`a replay does not know ${name}`);
    reduction = { ...reduction, ...take(text) };
  }
  return { seed: readCount(seed, '--seed'), reduction };
}

function readParts(text: string): readonly Part[] {
  return text.split(',').map((word) => {
    const part = PARTS.find((each) => each === word.trim());
    if (part === undefined)
      throw new Error(`--without takes some of ${PARTS.join(', ')}, not '${word}'`);
    return part;
  });
}

const readSteps = (text: string): readonly number[] =>
  text === 'none' ? [] : text.split(',').map((word) => readCount(word, '--steps'));

function readCount(text: string, flag: string): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error(`${flag} takes a whole number, not '${text}'`);
  return value;
}
