/** A plan from a file: JSON as `--print-plan` wrote it, perhaps changed by hand since. */
import { FAULTS, type Plan, WORK } from './plan.js';

const KINDS: ReadonlySet<string> = new Set([...WORK, ...FAULTS, 'start']);

/** Throws an Error that says what is wrong; settings are checked when the first node starts. */
export function readPlan(text: string): Plan {
  const plan: unknown = JSON.parse(text);
  if (!isPlan(plan)) {
    throw new Error('it has not seed, nodes, seeds, settings, steps and faultsEndMs');
  }
  const wrong = plan.steps.find(({ kind, atMs }) => !KINDS.has(kind) || !(atMs >= 0));
  if (wrong !== undefined) throw new Error(`no step is like ${JSON.stringify(wrong)}`);
  return plan;
}

function isPlan(given: unknown): given is Plan {
  if (typeof given !== 'object' || given === null) return false;
  const { seed, nodes, seeds, settings, steps, faultsEndMs, latency, levels } =
    given as Partial<Plan>;
  const lists = [nodes, seeds, steps];
  const isWhole = lists.every(Array.isArray) && [settings, latency, levels].every(Boolean);
  return isWhole && typeof seed === 'number' && typeof faultsEndMs === 'number';
}
