/** `rollcall study`: runs a study on threads, shows how far it is, prints the table, writes the results. */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EXIT, type ExitCode, exitCodeOfSignal, unusable } from './exit-code.js';
import { counted } from './gap-source.js';
import { Progress } from './progress.js';
import { loadSimulator, type Study, type StudyResult, type StudyTask } from './simulate-package.js';
import { number } from './simulate-replay.js';
import type { StudyCommandFlags } from './study-options.js';
import { table } from './table.js';
import { shareOut } from './thread-pool.js';
import { UNFINISHED, UnfinishedRuns } from './unfinished-runs.js';
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
  makeFolder(folder, ['table.txt', `${name}.svg`, `${name}.json`, UNFINISHED]);
  const runs = new UnfinishedRuns(folder, flags.resume === true);
  tellThrownAway(runs, folder, world);
  tellUnreadable(runs, folder, world);
  const results = await performAll(tasks, { jobs, perform: simulator.performTask, runs }, world);
  if ('endedBy' in results) {
    const { endedBy, done } = results;
    const far = `after ${done} of ${tasks.length} runs`;
    const kept =
      done === 0
        ? 'nothing was written'
        : `they are in ${join(folder, UNFINISHED)}, --resume goes on`;
    world.complain(`rollcall: interrupted by ${endedBy} ${far}; ${kept}\n`);
    return exitCodeOfSignal(endedBy);
  }

  const { head, rows, notes, svg } = study.report(results);
  const text = `${table(head, rows)}\n${notes.map((note) => `${note}\n`).join('')}`;
  const raw = { study: name, flags: ownFlags(flags), head, rows, notes, results };
  writeFileSync(join(folder, 'table.txt'), text);
  writeFileSync(join(folder, `${name}.svg`), svg);
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(raw, null, 1)}\n`);
  const kept = runs.remove(tasks);
  world.out(`${text}\ntable.txt, ${name}.svg and ${name}.json are in ${folder}\n`);
  if (kept > 0) {
    const what = `${counted(kept, 'finished run')} of other flags`;
    world.complain(
      `rollcall: ${what} ${kept === 1 ? 'stays' : 'stay'} in ${join(folder, UNFINISHED)}: --resume with those flags uses them, without --resume they are thrown away\n`,
    );
  }
  return EXIT.done;
}

/** An interrupted study begins anew where nobody asked for the rest of it. */
function tellThrownAway({ thrownAway }: UnfinishedRuns, folder: string, world: World): void {
  if (thrownAway === 0) return;
  const what = `${counted(thrownAway, 'finished run')} in ${join(folder, UNFINISHED)}`;
  const are = thrownAway === 1 ? 'is' : 'are';
  world.complain(`rollcall: ${what} ${are} thrown away; --resume would have gone on from there\n`);
}

function tellUnreadable({ unreadable }: UnfinishedRuns, folder: string, world: World): void {
  if (unreadable === 0) return;
  const what = `${counted(unreadable, 'line')} of ${join(folder, UNFINISHED)}`;
  const hold = unreadable === 1 ? 'holds' : 'hold';
  world.complain(`rollcall: ${what} ${hold} no run as it was written, and count for nothing\n`);
}

function jobsOf({ jobs }: StudyCommandFlags): number {
  if (jobs === undefined) return availableParallelism();
  if (/^[1-9]\d{0,3}$/.test(jobs)) return Number(jobs);
  throw unusable('--jobs', `--jobs takes a whole number from 1 to 9999, not '${jobs}'`);
}

function tasksOf(study: Study, flags: StudyCommandFlags): readonly StudyTask[] {
  try {
    return study.tasks(ownFlags(flags));
  } catch (cause) {
    const { message } = cause as Error;
    throw unusable(/--[a-z-]+/.exec(message)?.[0] ?? '--cells', message, cause);
  }
}

/** What the study itself is told; commander gives text for all of it. */
function ownFlags(flags: StudyCommandFlags): Readonly<Record<string, string>> {
  const { out: _out, jobs: _jobs, resume: _resume, ...own } = flags;
  return own as Readonly<Record<string, string>>;
}

/** With what it takes to write these files in the end. */
function makeFolder(folder: string, files: readonly string[]): void {
  try {
    makePath(folder);
    accessSync(folder, constants.W_OK);
    for (const path of files.map((file) => join(folder, file)).filter((each) => existsSync(each))) {
      accessSync(path, constants.W_OK);
      if (!statSync(path).isFile()) throw new Error(`${path} is no file`);
    }
  } catch (cause) {
    const why = `--out ${folder} is no folder to write to: ${(cause as Error).message}`;
    throw unusable('--out', why, cause);
  }
}

/** One by one: where a file system makes no folders and says ENOENT, as /proc does, `recursive` tries for ever. */
function makePath(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`);
    return;
  }
  makePath(dirname(folder));
  mkdirSync(folder);
}

/** Ended early, by a signal. */
interface Interrupted {
  readonly endedBy: string;
  readonly done: number;
}

interface Performing {
  readonly jobs: number;
  readonly perform: (task: StudyTask) => StudyResult | Promise<StudyResult>;
  /** What is done already, and what will be. */
  readonly runs: UnfinishedRuns;
}

/** Results in the order of their tasks, whoever was first. */
async function performAll(
  tasks: readonly StudyTask[],
  { jobs, perform, runs }: Performing,
  world: World,
): Promise<readonly StudyResult[] | Interrupted> {
  const stop = new AbortController();
  let endedBy: string | undefined;
  const forget = world.onSignal((signal) => {
    endedBy ??= signal;
    stop.abort();
  });
  const progress = new Progress(world);
  const left = tasks.filter((task) => runs.resultOf(task) === undefined);
  const whole = left.reduce((sum, { weight }) => sum + weight, 0);
  const before = tasks.length - left.length;
  let [next, done, runsDone, steps] = [0, 0, 0, 0];
  try {
    await shareOut<StudyTask, StudyResult>(Math.min(jobs, left.length), {
      next: () => (stop.signal.aborted ? undefined : left[next++]),
      tell: (result) => {
        runs.add(result);
        runsDone++;
        done += result.task.weight;
        steps += result.steps;
        const rate = () => `${number(steps / progress.seconds)} steps/s`;
        progress.show(
          done / whole,
          () => `${before + runsDone} of ${tasks.length} runs, ${rate()}`,
        );
      },
      signal: stop.signal,
      worker: new URL('./study-worker.js', import.meta.url),
      alone: async (task, tell) => tell(await perform(task)),
    });
  } finally {
    forget();
    progress.clear();
  }
  if (endedBy !== undefined) return { endedBy, done: before + runsDone };
  return tasks.map((task) => runs.resultOf(task) as StudyResult);
}
