/** One history as text: what it is, what happened, and how it ended. */
import { EXIT, type ExitCode } from './exit-code.js';
import type { TraceFilter } from './simulate-flags.js';
import type { Plan, Simulator, Survival, Verdict } from './simulate-package.js';
import type { World } from './world.js';

export interface ReplayOptions {
  readonly filter: TraceFilter;
  readonly frames: boolean;
  readonly asJson: boolean;
}

type Entry = ReturnType<Survival['trace']['entries']>[number];

export async function replay(
  plan: Plan,
  { filter, frames, asJson }: ReplayOptions,
  simulator: Simulator,
  world: World,
): Promise<ExitCode> {
  const say = (value: object) => world.out(`${JSON.stringify(value)}\n`);
  if (asJson) say({ type: 'plan', plan });
  else world.out(`${simulator.planWords(plan).join('\n')}\n\n`);
  const survival = await simulator.survive(plan, { detail: frames ? 'frames' : 'events', keep: 0 });
  const entries = survival.trace.entries().filter((entry) => isShown(entry, filter));
  if (!asJson) world.out(`${simulator.traceHead()}\n`);
  for (const entry of entries) {
    if (asJson) say({ type: 'event', ...entry });
    else world.out(`${simulator.traceLine(entry)}\n`);
  }
  const { verdict, events, virtualMs, report } = survival;
  if (asJson) say({ type: 'verdict', ...verdict, events, virtualMs });
  else world.out(`\n${report}\n\n${verdictText(verdict)}${costText(events, virtualMs)}\n`);
  return verdict.kind === 'settled' ? EXIT.done : EXIT.other;
}

function isShown({ atMs, node, what }: Entry, filter: TraceFilter): boolean {
  if (atMs < filter.fromMs || atMs > filter.toMs) return false;
  if (filter.node !== undefined && node !== '' && node !== filter.node) return false;
  return filter.shown.has(what);
}

/** In a sentence, for a person. */
export function verdictText(verdict: Verdict): string {
  if (verdict.kind === 'settled') {
    return `${verdict.end}: ${ENDS[verdict.end]}, ${number(verdict.afterMs)} ms after the last fault`;
  }
  return `${verdict.kind.toUpperCase()} at ${verdict.atMs.toFixed(3)} ms: ${verdict.what}`;
}

const ENDS = {
  whole: 'everybody who runs is one cluster, and agrees',
  stopped: 'nobody runs any more',
  islands: 'several clusters that have told of each other',
  blocked: 'downing is manual, members are dead, and everybody says so',
  full: 'a quorum of this size has no place for another voter, and everybody says so',
} as const;

const costText = (events: number, virtualMs: number): string =>
  ` (${number(events)} events, ${number(virtualMs / 1_000)} s of virtual time)`;

/** With commas, so that a million can be read. */
export const number = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
