/**
 * The command: explores a set of runs on one thread a core, prints a row as each ends, and the
 * shortest way to whatever is violated. `--help` says how.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Outcome, perform, type Task } from './outcome.js';
import {
  HELP,
  listText,
  progress,
  runHeader,
  runRow,
  summary,
  transcriptText,
  variantRow,
} from './report.js';
import { allRuns, runNamed, shortRuns } from './runs.js';
import type { Counts } from './search.js';
import { variantNamed, variants } from './variants.js';

type Report = { readonly outcome: Outcome } | { readonly task: Task; readonly counts: Counts };

/** More threads than this would want more memory than they save time. */
const WORKERS_MAX = 4;

const PROGRESS_SECONDS = 5;

const secondsNow = (): number => Number(process.hrtime.bigint()) / 1e9;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** A thread's whole life: one task after another. */
function serve(): void {
  const port = parentPort;
  port?.on('message', (task: Task) => {
    let toldAt = secondsNow();
    const outcome = perform(task, secondsNow, (counts) => {
      if (secondsNow() - toldAt < PROGRESS_SECONDS) return;
      toldAt = secondsNow();
      port.postMessage({ task, counts: { ...counts } } satisfies Report);
    });
    port.postMessage({ outcome } satisfies Report);
  });
}

/** Gives the tasks out, the next to whoever is free. */
function performAll(
  tasks: readonly Task[],
  workers: number,
  onReport: (report: Report) => void,
): Promise<void> {
  const waiting = [...tasks];
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      const next = () => {
        const task = waiting.shift();
        if (task === undefined) worker.terminate().then(() => resolve(), reject);
        else worker.postMessage(task);
      };
      worker.on('message', (report: Report) => {
        onReport(report);
        if ('outcome' in report) next();
      });
      worker.on('error', reject);
      next();
    });
  const count = Math.min(workers, tasks.length);
  return Promise.all(Array.from({ length: count }, one)).then(() => undefined);
}

interface Options {
  readonly tasks: readonly Task[];
  readonly workers: number;
  readonly quiet: boolean;
}

function optionsOf(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'boolean', default: false },
      run: { type: 'string', multiple: true, default: [] },
      variant: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      quiet: { type: 'boolean', default: false },
      'max-states': { type: 'string' },
      workers: { type: 'string' },
    },
  });
  if (values.help) return HELP;
  if (values.list) return listText();
  const maxStates = values['max-states'] === undefined ? null : countOf(values['max-states']);
  const task = (kind: Task['kind'], name: string): Task => ({ kind, name, maxStates });
  const runs = values.run.map((name) => task('run', (runNamed(name) ?? unknown(name)).name));
  const tried = values.variant.map((name) =>
    task('variant', (variantNamed(name) ?? unknown(name)).name),
  );
  const isChosen = runs.length + tried.length > 0;
  const set = values.full ? allRuns : shortRuns;
  const whole = [
    ...variants.map(({ name }) => task('variant', name)),
    ...set.map(({ name }) => task('run', name)),
  ];
  const cores = Math.min(availableParallelism(), WORKERS_MAX);
  return {
    tasks: isChosen ? [...tried, ...runs] : whole,
    workers: values.workers === undefined ? cores : countOf(values.workers),
    quiet: values.quiet,
  };
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`'${text}' is not a number above 0`);
  return count;
}

function unknown(name: string): never {
  throw new Error(`there is no '${name}'; --list names them`);
}

async function main(args: readonly string[]): Promise<boolean> {
  const options = optionsOf(args);
  if (typeof options === 'string') {
    say(options);
    return true;
  }
  const outcomes: Outcome[] = [];
  const startedAt = secondsNow();
  let headed = false;
  await performAll(options.tasks, options.workers, (report) => {
    if (!('outcome' in report)) {
      if (!options.quiet) process.stderr.write(`${progress(report.task, report.counts)}\n`);
      return;
    }
    const { outcome } = report;
    outcomes.push(outcome);
    if (outcome.task.kind === 'run' && !headed) {
      headed = true;
      say(runHeader());
    }
    say(outcome.task.kind === 'run' ? runRow(outcome) : variantRow(outcome));
  });
  const isAlone = outcomes.length === 1;
  for (const outcome of outcomes) {
    const isShown = outcome.violation !== null && (isAlone || !outcome.asExpected);
    if (isShown) say(`\n${transcriptText(outcome)}`);
  }
  const { user, system } = process.cpuUsage();
  const cpu = ((user + system) / 1e6).toFixed(0);
  say(`\n${summary(outcomes)}; ${(secondsNow() - startedAt).toFixed(0)} s, ${cpu} s of CPU`);
  return outcomes.every(({ asExpected }) => asExpected);
}

if (isMainThread) {
  main(process.argv.slice(2)).then(
    (isFine) => {
      process.exitCode = isFine ? 0 : 1;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    },
  );
} else {
  serve();
}
