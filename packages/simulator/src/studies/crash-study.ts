/**
 * The crash study: how long until nodes that really crashed are suspected somewhere, declared dead
 * somewhere, and declared dead by everybody. What is gained against false deaths must not be lost here.
 */
import type { SwimVariant } from '@rollcall/failure-detector';
import { hostOf } from '../node-name.js';
import { lineChart } from './line-chart.js';
import { ProductionFleet } from './production-fleet.js';
import {
  chosenOf,
  countOf,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from './study.js';
import { SwimFleet } from './swim-fleet.js';
import { asStudied, PROTOCOLS } from './swim-protocols.js';

type CrashProtocol = SwimVariant | 'rollcall';

interface CrashTask extends StudyTask {
  readonly protocol: CrashProtocol;
  readonly nodes: number;
  /** How many crash at once. */
  readonly victims: number;
  readonly seed: number;
}

/** Undefined: never, for as long as was waited. */
interface CrashTimes {
  /** After the crash, of any of those that crashed. */
  readonly suspectedMs: number | undefined;
  readonly deadMs: number | undefined;
  /** Until all others hold all of them dead. */
  readonly deadEverywhereMs: number | undefined;
  readonly steps: number;
}

interface CrashResult extends StudyResult, CrashTimes {
  readonly task: CrashTask;
}

const ALL: readonly (readonly [CrashProtocol, string])[] = [...PROTOCOLS, ['rollcall', 'Rollcall']];

const WARM_UP_MS = 10_000;
const STEP_MS = 1_000;
/** Longer than patience can be, with suspicion as it is scaled here; Rollcall's is seconds. */
const GIVE_UP_MS = 3_600_000;
const PRODUCTION_GIVE_UP_MS = 60_000;

export const crashStudy = study<CrashTask, CrashResult>({
  name: 'crash',
  tasks,
  perform: async (task) => {
    const times = task.protocol === 'rollcall' ? await ofProduction(task) : ofSwim(task);
    return { task, ...times };
  },
  report,
});

function tasks(flags: StudyFlags): readonly CrashTask[] {
  const nodes = countOf(flags, 'nodes', 128, 10_000);
  const seeds = countOf(flags, 'seeds', 100, 100_000);
  const victims = countOf(flags, 'victims', 1, 10_000);
  if (nodes < 3) throw new Error(`--nodes takes at least 3, not '${nodes}'`);
  if (2 * victims >= nodes) {
    throw new Error(`--victims takes fewer than half of the ${nodes} nodes, not '${victims}'`);
  }
  return chosenOf(flags, ALL).flatMap(([protocol]) =>
    Array.from({ length: seeds }, (_, i): CrashTask => {
      const weight = protocol === 'rollcall' ? (nodes * nodes) / 10 : nodes;
      return { study: 'crash', weight, protocol, nodes, victims, seed: i + 1 };
    }),
  );
}

/** First moments, and who holds whom dead. */
class CrashLog {
  readonly #pairs: number;
  readonly #dead = new Set<string>();
  #suspectedMs: number | undefined;
  #deadMs: number | undefined;
  #everywhereMs: number | undefined;

  constructor({ nodes, victims }: CrashTask) {
    this.#pairs = victims * (nodes - victims);
  }

  get isComplete(): boolean {
    return this.#everywhereMs !== undefined;
  }

  /** An observer that did not crash says it of one that did. */
  hear(status: 'suspect' | 'dead', observer: unknown, victim: unknown, afterMs: number): void {
    this.#suspectedMs ??= afterMs;
    if (status !== 'dead') return;
    this.#deadMs ??= afterMs;
    this.#dead.add(`${observer} ${victim}`);
    if (this.#dead.size === this.#pairs) this.#everywhereMs ??= afterMs;
  }

  times(steps: number): CrashTimes {
    return {
      suspectedMs: this.#suspectedMs,
      deadMs: this.#deadMs,
      deadEverywhereMs: this.#everywhereMs,
      steps,
    };
  }
}

function ofSwim(task: CrashTask): CrashTimes {
  const { protocol, nodes, victims, seed } = task;
  const swim = asStudied(protocol as SwimVariant, 'ticker');
  // At another point of the probe interval in each run.
  const crashMs = WARM_UP_MS + ((seed * 618) % 1_000);
  const log = new CrashLog(task);
  const fleet = new SwimFleet({
    seed,
    nodes,
    swim,
    onVerdict: (observer, { member, status }, nowMs) => {
      if (member >= victims || observer < victims || nowMs < crashMs) return;
      if (status !== 'suspect' && status !== 'dead') return;
      log.hear(status, observer, member, nowMs - crashMs);
    },
  });
  fleet.run(crashMs);
  for (let node = 0; node < victims; node++) fleet.crash(node);
  while (!log.isComplete && fleet.nowMs < GIVE_UP_MS) fleet.run(fleet.nowMs + STEP_MS);
  return log.times(fleet.steps);
}

/** Of power: a killed process has its connections reset, which says nothing about the detector. */
async function ofProduction(task: CrashTask): Promise<CrashTimes> {
  const { nodes, victims, seed } = task;
  const log = new CrashLog(task);
  const dead = new Set<string>();
  let crashMs = 0;
  const fleet = await ProductionFleet.form({
    seed,
    nodes,
    settings: { downing: { strategy: 'manual' } },
    onEvent: (teller, event, nowMs) => {
      if (!('member' in event) || dead.has(teller)) return;
      const name = hostOf(event.member.address);
      if (!dead.has(name)) return;
      const afterMs = nowMs - crashMs;
      if (event.type === 'memberSuspected') log.hear('suspect', teller, name, afterMs);
      else if (event.type === 'memberUnreachable') log.hear('dead', teller, name, afterMs);
    },
  });
  const { sim, names } = fleet;
  crashMs = sim.nowMs;
  for (const name of names.slice(nodes - victims)) {
    dead.add(name);
    sim.crash(name, { silently: true });
  }
  const giveUpMs = crashMs + PRODUCTION_GIVE_UP_MS;
  while (!log.isComplete && sim.nowMs < giveUpMs) await sim.run(STEP_MS);
  return log.times(sim.events);
}

/** The value that this share of them does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

const seconds = (ms: number): string =>
  ms === Number.POSITIVE_INFINITY ? 'never' : (ms / 1_000).toFixed(2);

/** Never is later than anything. */
const orNever = (ms: number | undefined): number => ms ?? Number.POSITIVE_INFINITY;

function report(results: readonly CrashResult[]): StudyReport {
  const [{ task }] = results as readonly [CrashResult];
  const present = ALL.filter(([name]) => results.some((each) => each.task.protocol === name));
  const of = (protocol: CrashProtocol) => results.filter((each) => each.task.protocol === protocol);
  const who = task.victims === 1 ? 'one crashes' : `${task.victims} crash at once`;
  return {
    head: ['PROTOCOL', 'SUSPECTED', 'DEAD SOMEWHERE', '95 %', 'DEAD EVERYWHERE', '95 %', 'WORST'],
    rows: present.map(([protocol, name]) => {
      const [suspected, dead, everywhere] = [
        of(protocol).map(({ suspectedMs }) => orNever(suspectedMs)),
        of(protocol).map(({ deadMs }) => orNever(deadMs)),
        of(protocol).map(({ deadEverywhereMs }) => orNever(deadEverywhereMs)),
      ] as const;
      const last = [0.5, 0.95, 1].map((share) => quantile(everywhere, share));
      const all = [quantile(suspected, 0.5), quantile(dead, 0.5), quantile(dead, 0.95), ...last];
      return [name, ...all.map(seconds)];
    }),
    notes: [
      `Seconds after the crash; ${task.nodes} nodes, ${who}; medians of ${of(task.protocol).length} runs, what 95 % do not exceed, and the worst.`,
      'Rollcall: production nodes that lose their power; suspected by one, unreachable by two. Downing comes later, and is off.',
    ],
    svg: lineChart({
      title: 'How long until a crashed node is declared dead somewhere',
      subtitle: `${task.nodes} nodes, ${who}; protocols that do not differ lie on each other`,
      x: { label: 'seconds after the crash', ticks: [0, 5, 10, 15, 20, 25, 30] },
      y: {
        label: 'share of crashes',
        ticks: [0, 0.25, 0.5, 0.75, 1],
        show: (tick) => `${100 * tick} %`,
      },
      series: present.map(([protocol, name]) => {
        const sorted = of(protocol)
          .map(({ deadMs }) => orNever(deadMs) / 1_000)
          .sort((a, b) => a - b);
        const line = sorted
          .map((at, i) => [at, (i + 1) / sorted.length] as const)
          .filter(([at]) => Number.isFinite(at));
        return { label: name, line };
      }),
    }),
  };
}
