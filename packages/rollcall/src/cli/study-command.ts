/** `rollcall study`: runs a study on threads, shows how far it is, prints the table, writes the results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { EXIT, type ExitCode, exitCodeOfSignal, unusable } from './exit-code.js';
import { Progress } from './progress.js';
import { loadSimulator, type Study, type StudyResult, type StudyTask } from './simulate-package.js';
import { number } from './simulate-replay.js';
import type { StudyCommandFlags } from './study-options.js';
import { table } from './table.js';
import { shareOut } from './thread-pool.js';
import type { World } from './world.js';

export async function studyCommand(
  name: string,
  flags: StudyCommandFlags,
  world: World,
): Promise<ExitCode> {
  const simulator = await loadSimulator();
  const study = simulator.studyNamed(name);
  const jobs = jobsOf(flags);
  const tasks = tasksOf(study, flags);
  const folder = resolve(flags.out ?? name);
  // Now, and not after half an hour.
  makeFolder(folder);
  const results = await performAll(tasks, jobs, simulator.performTask, world);
  if ('endedBy' in results) {
    const { endedBy, done } = results;
    const far = `after ${done} of ${tasks.length} runs`;
    world.complain(`rollcall: interrupted by ${endedBy} ${far}; nothing was written\n`);
    return exitCodeOfSignal(endedBy);
  }

  const { head, rows, notes, svg } = study.report(results);
  const text = `${table(head, rows)}\n${notes.map((note) => `${note}\n`).join('')}`;
  const { out: _out, jobs: _jobs, ...what } = flags;
  const raw = { study: name, flags: what, head, rows, notes, results };
  writeFileSync(join(folder, 'table.txt'), text);
  writeFileSync(join(folder, `${name}.svg`), svg);
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(raw, null, 1)}\n`);
  world.out(`${text}\ntable.txt, ${name}.svg and ${name}.json are in ${folder}\n`);
  return EXIT.done;
}

function jobsOf({ jobs }: StudyCommandFlags): number {
  if (jobs === undefined) return availableParallelism();
  if (/^[1-9]\d{0,3}$/.test(jobs)) return Number(jobs);
  throw unusable('--jobs', `--jobs takes a whole number from 1 to 9999, not '${jobs}'`);
}

function tasksOf(study: Study, flags: StudyCommandFlags): readonly StudyTask[] {
  try {
    return study.tasks(flags);
  } catch (cause) {
    const { message } = cause as Error;
    throw unusable(/--[a-z-]+/.exec(message)?.[0] ?? '--cells', message, cause);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const why = `--out ${folder} is no folder to write to: ${(cause as Error).message}`;
    throw unusable('--out', why, cause);
  }
}

/** Ended early, by a signal. */
interface Interrupted {
  readonly endedBy: string;
  readonly done: number;
}

/** Results in the order of their tasks, whoever was first. */
async function performAll(
  tasks: readonly StudyTask[],
  jobs: number,
  perform: (task: StudyTask) => StudyResult,
  world: World,
): Promise<readonly StudyResult[] | Interrupted> {
  const stop = new AbortController();
  let endedBy: string | undefined;
  const forget = world.onSignal((signal) => {
    endedBy ??= signal;
    stop.abort();
  });
  const progress = new Progress(world);
  const results = new Map<string, StudyResult>();
  const keyOf = (task: StudyTask) => JSON.stringify(task);
  const whole = tasks.reduce((sum, { weight }) => sum + weight, 0);
  let next = 0;
  let done = 0;
  let steps = 0;
  try {
    await shareOut<StudyTask, StudyResult>(Math.min(jobs, tasks.length), {
      next: () => (stop.signal.aborted ? undefined : tasks[next++]),
      tell: (result) => {
        results.set(keyOf(result.task), result);
        done += result.task.weight;
        steps += result.steps;
        const rate = () => `${number(steps / progress.seconds)} steps/s`;
        progress.show(done / whole, () => `${results.size} of ${tasks.length} runs, ${rate()}`);
      },
      signal: stop.signal,
      worker: new URL('./study-worker.js', import.meta.url),
      alone: async (task, tell) => tell(perform(task)),
    });
  } finally {
    forget();
    progress.clear();
  }
  if (endedBy !== undefined) return { endedBy, done: results.size };
  return tasks.map((task) => results.get(keyOf(task)) as StudyResult);
}
