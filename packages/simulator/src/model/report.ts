/** The tables and transcripts that the command prints. */
import { LISTED, stepsOf } from './listed.js';
import type { Outcome, Task } from './outcome.js';
import { allRuns, runNamed, shortRuns } from './runs.js';
import type { Counts } from './search.js';
import { variantNamed, variants } from './variants.js';

const number = (value: number): string => value.toLocaleString('en-US');

const COLUMNS = [14, 10, 12, 13, 6, 12, 7] as const;

function columns(...cells: readonly string[]): string {
  const [name = '', result = '', ...rest] = cells;
  const [first, second, ...widths] = COLUMNS;
  const numbers = rest.slice(0, widths.length).map((cell, at) => cell.padStart(widths[at] ?? 0));
  const notes = rest.slice(widths.length);
  return [name.padEnd(first), result.padEnd(second), ...numbers, ...notes].join(' ').trimEnd();
}

export const runHeader = (): string =>
  columns(
    'run',
    'result',
    'states',
    'transitions',
    'depth',
    'fires',
    'seconds',
    ' configuration; merge laws, positions of rest',
  );

export function runRow({ task, title, ending, counts, laws, seconds }: Outcome): string {
  const { states, transitions, depth, fires, rests, lost } = counts;
  const about = [title];
  if (laws) about.push(`laws: ${number(laws.pairs)} pairs, ${number(laws.triples)} triples`);
  if (rests > 0) about.push(`${rests} rests${lost > 0 ? `, ${lost} with nobody left` : ''}`);
  const result = ending === 'COMPLETE' ? 'holds' : ending;
  const figures = [states, transitions, depth, fires].map(number);
  return columns(task.name, result, ...figures, seconds.toFixed(1), ` ${about.join('; ')}`);
}

export function variantRow({ task, title, ending, counts, transcript, ...rest }: Outcome): string {
  const breaks = variantNamed(task.name)?.breaks ?? null;
  const listed = LISTED[task.name];
  const found = rest.violation
    ? `${rest.violation.rule} in ${transcript.steps.length} steps (listed: ${listed ? stepsOf(listed) : 'none'})`
    : ending === 'COMPLETE'
      ? 'holds'
      : ending;
  const verdict = rest.asExpected ? '' : `  NOT AS EXPECTED: ${breaks ?? 'holds'}`;
  const states = number(counts.states).padStart(10);
  return `${task.name.padEnd(5)} ${found.padEnd(34)} ${states} ${title}${verdict}`;
}

export const progress = ({ name }: Task, counts: Counts): string =>
  `  ${name}: ${number(counts.states)} states, depth ${counts.depth} …`;

/** The shortest way to what was found, step by step. */
export function transcriptText({ task, title, violation, transcript }: Outcome): string {
  const lines = [`${task.name}: ${title}`, ''];
  transcript.steps.forEach(({ move, changes }, at) => {
    const [first = '', ...others] = changes;
    lines.push(`${String(at + 1).padStart(3)}  ${move.padEnd(24)} ${first}`.trimEnd());
    for (const change of others) lines.push(`${' '.repeat(30)}${change}`);
  });
  lines.push('', `  ${transcript.line}`);
  if (violation) lines.push('', `  violates ${violation.rule}: ${violation.text}`);
  return lines.join('\n');
}

export function summary(outcomes: readonly Outcome[]): string {
  const runs = outcomes.filter(({ task }) => task.kind === 'run');
  const states = runs.reduce((sum, { counts }) => sum + counts.states, 0);
  const transitions = runs.reduce((sum, { counts }) => sum + counts.transitions, 0);
  const count = (ending: string) => runs.filter((outcome) => outcome.ending === ending).length;
  const parts = [
    `${runs.length} configurations, ${number(states)} states, ${number(transitions)} transitions`,
    `${count('COMPLETE')} complete, ${count('TRUNCATED')} truncated`,
    `${count('VIOLATION')} violations`,
  ];
  const tried = outcomes.filter(({ task }) => task.kind === 'variant');
  if (tried.length > 0) {
    const right = tried.filter(({ asExpected }) => asExpected).length;
    parts.push(`${right} of ${tried.length} variants as expected`);
  }
  return parts.join('; ');
}

export function listText(): string {
  const isShort = (name: string) => shortRuns.includes(runNamed(name) ?? allRuns[0] ?? never());
  const runs = allRuns.map(
    ({ name, title }) => `  ${name.padEnd(14)} ${isShort(name) ? '     ' : 'full '} ${title}`,
  );
  const others = variants.map(({ name, title }) => `  ${name.padEnd(14)}       ${title}`);
  return ['runs', ...runs, '', 'variants', ...others].join('\n');
}

function never(): never {
  throw new Error('there are runs');
}

export const HELP = `Explores the shipped rules state by state (docs in src/model/README.md).

  main.js                     the bounded set and all variants, for every commit
  main.js --full              all runs
  main.js --run NAME          one run; may be given several times
  main.js --variant X05       the counterexample to one rule left out
  main.js --list              the names of runs and variants
      --max-states N          stop a run there, and say so
      --workers N             threads; one for each core by default
      --quiet                 no progress

Exits with 1 and a transcript when something is violated that should hold, or a variant holds that
should not.`;
