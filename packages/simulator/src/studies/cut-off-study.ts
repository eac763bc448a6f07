/**
 * The cut-off study: which nodes that are well are declared dead because others could not talk for a
 * while. For each number of nodes cut off and each length: plain SWIM, Lifeguard, Lifeguard with one or
 * both corrections, and production nodes, without downing and with it.
 */
import {
  type CutOffProtocol,
  type CutOffResult,
  type CutOffTask,
  runCutOff,
} from './cut-off-run.js';
import { heatMap } from './heat-map.js';
import { storyWords } from './ordeal-report.js';
import { runProductionCutOff } from './production-cut-off.js';
import {
  chosenOf,
  countOf,
  groupBy,
  listOf,
  type StudyFlags,
  type StudyReport,
  study,
  wordOf,
} from './study.js';
import { type CutOffModel, PROTOCOLS } from './swim-protocols.js';

interface Cell {
  readonly cut: number;
  readonly seconds: number;
}

const CELLS: readonly Cell[] = [
  ...[10, 11, 12, 33, 50, 65, 200].map((seconds) => ({ cut: 1, seconds })),
  ...[10, 11, 16, 33, 50, 100, 200].map((seconds) => ({ cut: 8, seconds })),
  ...[10, 11, 12, 16, 50, 65, 200].map((seconds) => ({ cut: 32, seconds })),
];

const ALL: readonly (readonly [CutOffProtocol, string])[] = [
  ...PROTOCOLS,
  ['rollcall', 'Rollcall'],
  ['downing', '+ downing'],
];

const isProduction = ({ protocol }: Pick<CutOffTask, 'protocol'>): boolean =>
  protocol === 'rollcall' || protocol === 'downing';

const USUAL = { nodes: 128, minutes: 30, gapMs: 4_000, outages: 3 };

/** One outage of production nodes takes as long as so many minutes of a fleet of SWIM nodes. */
const FULL_WEIGHT = 300;

/** The fewer are cut off, the more a run hangs on when their probes happen to begin. */
const usualSeeds = (cut: number): number => (cut === 1 ? 8 : cut <= 8 ? 3 : 2);

export const cutOffStudy = study<CutOffTask, CutOffResult>({
  name: 'cut-off',
  tasks,
  perform: (task) => (isProduction(task) ? runProductionCutOff(task) : runCutOff(task)),
  report,
});

function tasks(flags: StudyFlags): readonly CutOffTask[] {
  const nodes = countOf(flags, 'nodes', USUAL.nodes, 10_000);
  if (nodes < 3) throw new Error(`--nodes takes at least 3, not '${nodes}': two have to be left`);
  const minutes = countOf(flags, 'minutes', USUAL.minutes, 100_000);
  const gapMs = countOf(flags, 'gap', USUAL.gapMs, 3_600_000);
  const model = wordOf<CutOffModel>(flags, 'model', ['ticker', 'published']);
  const outages = countOf(flags, 'outages', USUAL.outages, 100_000);
  const chosen = chosenOf(flags, ALL);
  return cellsOf(flags, nodes).flatMap(({ cut, seconds }) =>
    chosen.flatMap(([protocol]) => {
      const inFull = isProduction({ protocol });
      const seeds = inFull ? 1 : usualSeeds(cut);
      const outageMs = seconds * 1_000;
      const lasting = { minutes: inFull ? (outages * (outageMs + gapMs)) / 60_000 : minutes };
      return Array.from({ length: countOf(flags, 'seeds', seeds, 100_000) }, (_, i): CutOffTask => {
        const run = { nodes, ...lasting, outages, cut, outageMs, gapMs };
        const byKind = inFull ? FULL_WEIGHT * outages : minutes * (protocol === 'swim' ? 2 : 1);
        const weight = nodes * nodes * byKind;
        return { study: 'cut-off', weight, protocol, model, seed: i + 1, ...run };
      });
    }),
  );
}

function cellsOf(flags: StudyFlags, nodes: number): readonly Cell[] {
  const fits = ({ cut }: Cell) => cut <= nodes - 2;
  if (flags.cells === undefined) return CELLS.filter(fits);
  const read = (text: string): Cell => {
    const [, cut = '', seconds = ''] = /^\s*(\d+)x(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
    const cell = { cut: Number(cut), seconds: Number(seconds) };
    if (cell.cut >= 1 && cell.seconds > 0 && cell.seconds <= 86_400 && fits(cell)) return cell;
    const which = `how many are cut off (1 to ${nodes - 2}), x, for how many seconds`;
    throw new Error(`--cells takes a list such as 1x12,8x16: ${which}; not '${text}'`);
  };
  return listOf(flags.cells, read, ({ cut, seconds }) => `${cut}x${seconds}`);
}

const perHour = (results: readonly CutOffResult[]): number => {
  const hours = results.reduce((sum, { task }) => sum + task.minutes / 60, 0);
  return results.reduce((sum, { falseDeaths }) => sum + falseDeaths, 0) / hours;
};

/** Strays are a few per hour; above that nobody reads decimals. */
const shown = (value: number): string => Math.round(value).toLocaleString('en');

function report(results: readonly CutOffResult[]): StudyReport {
  const present = ALL.filter(([name]) => results.some(({ task }) => task.protocol === name));
  const cells = groupBy(results, ({ task }) => `${task.cut} ${task.outageMs}`);
  const rows = [...cells.values()].map((cell) => {
    const { cut, outageMs } = (cell[0] as CutOffResult).task;
    const values = present.map(([name]) =>
      perHour(cell.filter(({ task }) => task.protocol === name)),
    );
    return { cut, seconds: outageMs / 1_000, values, removed: removedWords(cell) };
  });
  const [{ task }] = results as readonly [CutOffResult];
  const hasDowning = present.some(([name]) => name === 'downing');
  return {
    head: [
      ...['CUT OFF', 'FOR S', ...present.map(([, name]) => name.toUpperCase())],
      ...(hasDowning ? ['REMOVED'] : []),
    ],
    rows: rows.map(({ cut, seconds, values, removed }) => [
      String(cut),
      String(seconds),
      ...values.map(shown),
      ...(hasDowning ? [removed] : []),
    ]),
    notes: [...notesOf(task), ...productionNotes(results)],
    svg: heatMap({
      title: 'Nodes never cut off, declared dead, per hour',
      subtitle: `${task.nodes} nodes, some cut off again and again with their clocks running; counted where it was never cut off either`,
      columns: present.map(([, name]) => name),
      groups: [...groupBy(rows, ({ cut }) => String(cut))].map(([cut, some]) => ({
        label: `${cut} cut off`,
        rows: some.map(({ seconds, values }) => ({ label: `${seconds} s`, values })),
      })),
    }),
  };
}

/** Whom keep-majority removed: how often one that was cut off, and which others. */
function removedWords(cell: readonly CutOffResult[]): string {
  const removed = cell
    .filter(({ task }) => task.protocol === 'downing')
    .flatMap((result) => result.removed ?? []);
  const times = removed
    .filter(({ wasCut }) => wasCut)
    .reduce((sum, { times: each }) => sum + each, 0);
  const others = removed.filter(({ wasCut }) => !wasCut).map(({ name }) => name);
  const wrongly = others.length === 0 ? '' : `, and ${others.join(' ')}`;
  return `${times} cut off${wrongly}`;
}

function productionNotes(results: readonly CutOffResult[]): readonly string[] {
  const production = results.filter(({ task }) => isProduction(task));
  const [first] = production;
  if (first === undefined) return [];
  const { outages } = first.task;
  return [
    `Rollcall: production nodes with defaults, each cell cut off ${outages} times; downing.strategy=manual, and once more with keep-majority, under which a supervisor starts again who was removed.`,
    ...production.flatMap(({ task, convictions }) =>
      (convictions ?? []).map(
        (each) =>
          `${task.protocol}, ${task.cut} x ${task.outageMs / 1_000} s, seed ${task.seed}: ${storyWords(each)}.`,
      ),
    ),
  ];
}

const MODEL_WORDS: Readonly<Record<CutOffModel, string>> = {
  ticker: 'a failed probe is followed at once by the next, and the dead are gossiped to for ever',
  published: 'probes that fail begin 2 s apart, and the dead are gossiped to for 30 s',
};

const notesOf = (task: CutOffTask): readonly string[] => {
  const { nodes, minutes, gapMs, model } = task;
  return [
    `Per hour, at nodes never cut off, how often such a node was declared dead; ${nodes} nodes${isProduction(task) ? '' : `, runs of ${minutes} min`}.`,
    `What a cut-off node sends waits and is released at once, what it is sent is lost; then ${gapMs / 1_000} s of contact.`,
    `Model ${model}: ${MODEL_WORDS[model]}. A few per hour are strays: one node missed a refutation.`,
  ];
};
