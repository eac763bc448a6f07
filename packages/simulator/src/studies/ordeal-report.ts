/** What the studies of trouble have in common: their tasks, and how their results are told. */
import type { Conviction } from './conviction-log.js';
import { heatMap } from './heat-map.js';
import {
  CONTESTANTS,
  type Contestant,
  type Endured,
  endure,
  isProduction,
  type Ordeal,
} from './ordeal.js';
import {
  chosenOf,
  countOf,
  groupBy,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  someOf,
} from './study.js';

export interface OrdealTask extends StudyTask {
  readonly contestant: Contestant;
  /** What goes wrong, in words; those with the same first words stand together in the picture. */
  readonly group: string;
  readonly label: string;
  readonly ordeal: Ordeal;
}

export interface OrdealResult extends StudyResult {
  readonly task: OrdealTask;
  readonly endured: Endured;
}

/** One kind of trouble; `ordealOf` fills in when it ends and by which chance. */
export interface Trouble {
  /** As `--cases` has it. */
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly ordealOf: (seed: number, forMs: number) => Ordeal;
}

const DAY_MINUTES = 1_440;
/** Long runs are several, so that threads can share them; each begins with another seed. */
const RUN_MINUTES = 240;
/** The others are told by rate, and an hour of them is enough. */
const OTHERS_MINUTES = 60;

/** Tasks of every contestant in every trouble, `--minutes` (a day unless given), `--seed`, `--only` and `--cases`. */
export function ordealTasks(
  study: string,
  flags: StudyFlags,
  troubles: readonly Trouble[],
  contestants: typeof CONTESTANTS = CONTESTANTS,
): readonly OrdealTask[] {
  const minutes = countOf(flags, 'minutes', DAY_MINUTES, 1_000_000);
  const firstSeed = countOf(flags, 'seed', 1, Number.MAX_SAFE_INTEGER);
  const chosen = chosenOf(flags, contestants);
  return someOf(flags, 'cases', troubles, ({ name }) => name).flatMap(
    ({ group, label, ordealOf }) =>
      chosen.flatMap(([contestant]) => {
        const wanted = isProduction(contestant) ? minutes : Math.min(minutes, OTHERS_MINUTES);
        const runs = Math.ceil(wanted / RUN_MINUTES);
        return Array.from({ length: runs }, (_, run): OrdealTask => {
          const ordeal = ordealOf(firstSeed + run, (wanted / runs) * 60_000);
          const weight = ((isProduction(contestant) ? 10 : 1) * ordeal.nodes * wanted) / runs;
          return { study, weight, contestant, group, label, ordeal };
        });
      }),
  );
}

export const performOrdeal = async (task: OrdealTask): Promise<OrdealResult> => {
  const endured = await endure(task.contestant, task.ordeal);
  return { task, endured, steps: endured.steps };
};

interface Told {
  readonly title: string;
  readonly subtitle: string;
  readonly notes: readonly string[];
}

const HEAD = ['WHAT', 'PROTOCOL', 'MINUTES', 'HEALTHY CONVICTED', 'PER HOUR', 'TOLD PER HOUR'];
const STORIES_SHOWN = 5;

export function ordealReport(results: readonly OrdealResult[], told: Told): StudyReport {
  const cells = [...groupBy(results, ({ task }) => `${keyOf(task)}|${task.contestant}`).values()];
  const rows = cells.map((cell) => {
    const [{ task }] = cell as [OrdealResult];
    return { task, ...sumOf(cell) };
  });
  const hasFaulty = results.some(({ task }) => task.ordeal.faulty > 0);
  const present = CONTESTANTS.filter(([name]) => rows.some(({ task }) => task.contestant === name));
  return {
    head: [...HEAD, ...(hasFaulty ? ['FAULTY HELD'] : [])],
    rows: rows.map(({ task, minutes, stories, perHour, toldPerHour, held }) => [
      `${task.group}: ${task.label}`,
      nameOf(task.contestant),
      ...[Math.round(minutes), stories, Math.round(perHour), Math.round(toldPerHour)].map(count),
      ...(hasFaulty ? [task.ordeal.faulty === 0 ? '-' : `${Math.round(100 * held)} %`] : []),
    ]),
    notes: [...told.notes, ...storiesOf(results)],
    svg: heatMap({
      title: told.title,
      subtitle: told.subtitle,
      columns: present.map(([, name]) => name),
      groups: [...groupBy(rows, ({ task }) => task.group)].map(([label, some]) => ({
        label,
        rows: [...groupBy(some, ({ task }) => task.label)].map(([rowLabel, row]) => ({
          label: rowLabel,
          values: present.map(
            ([name]) => row.find(({ task }) => task.contestant === name)?.perHour ?? 0,
          ),
        })),
      })),
    }),
  };
}

const keyOf = ({ group, label }: OrdealTask): string => `${group}|${label}`;

const nameOf = (contestant: Contestant): string =>
  CONTESTANTS.find(([each]) => each === contestant)?.[1] ?? contestant;

const count = (value: number): string => value.toLocaleString('en');

function sumOf(cell: readonly OrdealResult[]) {
  const sum = (of: (endured: Endured) => number) =>
    cell.reduce((all, { endured }) => all + of(endured), 0);
  const hours = sum(({ enduredMs }) => enduredMs) / 3_600_000;
  const stories = sum((endured) => endured.stories);
  return {
    minutes: 60 * hours,
    stories,
    perHour: stories / hours,
    toldPerHour: sum(({ told }) => told) / hours,
    held: sum(({ faultyHeld }) => faultyHeld) / cell.length,
  };
}

/** The first convictions of healthy production nodes: what a person replays. */
function storiesOf(results: readonly OrdealResult[]): readonly string[] {
  return results
    .filter(({ task, endured }) => isProduction(task.contestant) && endured.stories > 0)
    .flatMap(({ task, endured }) =>
      endured.first.slice(0, STORIES_SHOWN).map((story) => {
        const where = `${nameOf(task.contestant)}, ${task.group}: ${task.label}, seed ${task.ordeal.seed}`;
        return `${where}: ${storyWords(story)}.`;
      }),
    );
}

/** A conviction in words. */
export const storyWords = ({ atMs, subject, toldBy, accusers }: Conviction): string =>
  `at ${(atMs / 1_000).toFixed(3)} s ${toldBy} tells that ${subject} is unreachable, says ${accusers.join(' and ')}`;
