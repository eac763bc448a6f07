/**
 * The cut-off study: which nodes that are well are declared dead because others could not talk for a
 * while. For each number of nodes cut off and each length, five protocols: plain SWIM, Lifeguard, and
 * Lifeguard with one or both corrections.
 */
import { type CutOffResult, type CutOffTask, runCutOff } from './cut-off-run.js';
import { heatMap } from './heat-map.js';
import { countOf, groupBy, type StudyFlags, type StudyReport, study, wordOf } from './study.js';
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

const USUAL = { nodes: 128, minutes: 30, gapMs: 4_000 };

/** The fewer are cut off, the more a run hangs on when their probes happen to begin. */
const usualSeeds = (cut: number): number => (cut === 1 ? 8 : cut <= 8 ? 3 : 2);

export const cutOffStudy = study<CutOffTask, CutOffResult>({
  name: 'cut-off',
  tasks,
  perform: runCutOff,
  report,
});

function tasks(flags: StudyFlags): readonly CutOffTask[] {
  const nodes = countOf(flags, 'nodes', USUAL.nodes, 10_000);
  const minutes = countOf(flags, 'minutes', USUAL.minutes, 100_000);
  const gapMs = countOf(flags, 'gap', USUAL.gapMs, 3_600_000);
  const model = wordOf<CutOffModel>(flags, 'model', ['ticker', 'published']);
  return cellsOf(flags, nodes).flatMap(({ cut, seconds }) => {
    const seeds = countOf(flags, 'seeds', usualSeeds(cut), 100_000);
    return PROTOCOLS.flatMap(([variant]) =>
      Array.from({ length: seeds }, (_, i): CutOffTask => {
        const run = { nodes, minutes, cut, outageMs: seconds * 1_000, gapMs };
        const weight = nodes * nodes * minutes * (variant === 'swim' ? 2 : 1);
        return { study: 'cut-off', weight, variant, model, seed: i + 1, ...run };
      }),
    );
  });
}

function cellsOf(flags: StudyFlags, nodes: number): readonly Cell[] {
  const fits = ({ cut }: Cell) => cut <= nodes - 2;
  if (flags.cells === undefined) return CELLS.filter(fits);
  return flags.cells.split(',').map((text) => {
    const [, cut = '', seconds = ''] = /^\s*(\d+)x(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
    const cell = { cut: Number(cut), seconds: Number(seconds) };
    if (cell.cut >= 1 && cell.seconds > 0 && cell.seconds <= 86_400 && fits(cell)) return cell;
    const which = `how many are cut off (1 to ${nodes - 2}), x, for how many seconds`;
    throw new Error(`--cells takes a list such as 1x12,8x16: ${which}; not '${text}'`);
  });
}

const perHour = (results: readonly CutOffResult[]): number => {
  const hours = results.reduce((sum, { task }) => sum + task.minutes / 60, 0);
  return results.reduce((sum, { falseDeaths }) => sum + falseDeaths, 0) / hours;
};

/** Strays are a few per hour; above that nobody reads decimals. */
const shown = (value: number): string => Math.round(value).toLocaleString('en');

function report(results: readonly CutOffResult[]): StudyReport {
  const cells = groupBy(results, ({ task }) => `${task.cut} ${task.outageMs}`);
  const rows = [...cells.values()].map((cell) => {
    const { cut, outageMs } = (cell[0] as CutOffResult).task;
    const values = PROTOCOLS.map(([name]) =>
      perHour(cell.filter(({ task }) => task.variant === name)),
    );
    return { cut, seconds: outageMs / 1_000, values };
  });
  const [{ task }] = results as readonly [CutOffResult];
  return {
    head: ['CUT OFF', 'FOR S', ...PROTOCOLS.map(([, name]) => name.toUpperCase())],
    rows: rows.map(({ cut, seconds, values }) => [
      ...[String(cut), String(seconds)],
      ...values.map(shown),
    ]),
    notes: notesOf(task),
    svg: heatMap({
      title: 'Nodes never cut off, declared dead, per hour',
      subtitle: `${task.nodes} nodes, some cut off again and again with their clocks running; counted where it was never cut off either`,
      columns: PROTOCOLS.map(([, name]) => name),
      groups: [...groupBy(rows, ({ cut }) => String(cut))].map(([cut, some]) => ({
        label: `${cut} cut off`,
        rows: some.map(({ seconds, values }) => ({ label: `${seconds} s`, values })),
      })),
    }),
  };
}

const MODEL_WORDS: Readonly<Record<CutOffModel, string>> = {
  ticker: 'a failed probe is followed at once by the next, and the dead are gossiped to for ever',
  published: 'probes that fail begin 2 s apart, and the dead are gossiped to for 30 s',
};

const notesOf = ({ nodes, minutes, gapMs, model }: CutOffTask): readonly string[] => [
  `Per hour, at nodes never cut off, how often such a node was declared dead; ${nodes} nodes, runs of ${minutes} min.`,
  `What a cut-off node sends waits and is released at once, what it is sent is lost; then ${gapMs / 1_000} s of contact.`,
  `Model ${model}: ${MODEL_WORDS[model]}. A few per hour are strays: one node missed a refutation.`,
];
