/**
 * What a study has done so far, a line a run, so that one which was interrupted can go on. A line holds its whole
 * task, and only the very same task is not done again: other flags, other runs. It begins with a checksum: what was
 * changed, or cut off, is no result.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StudyResult, StudyTask } from './simulate-package.js';

export const UNFINISHED = 'unfinished.jsonl';

const keyOf = (task: StudyTask): string => JSON.stringify(task);

const sumOf = (run: string): string => createHash('sha256').update(run).digest('hex').slice(0, 16);

/** As it stands in the file. */
export function lineOf(result: StudyResult): string {
  const run = JSON.stringify(result);
  return `{"sum":"${sumOf(run)}","run":${run}}\n`;
}

export class UnfinishedRuns {
  readonly #path: string;
  readonly #done = new Map<string, StudyResult>();
  /** How many there were, and are thrown away. */
  readonly thrownAway: number;
  /** Lines, the last one aside, that hold no run as it was written. */
  unreadable = 0;

  /** @param isResumed whether what is there counts; else it is thrown away */
  constructor(folder: string, isResumed: boolean) {
    this.#path = join(folder, UNFINISHED);
    if (existsSync(this.#path)) this.#read();
    this.thrownAway = isResumed ? 0 : this.#done.size;
    if (isResumed) return;
    this.#done.clear();
    rmSync(this.#path, { force: true });
  }

  resultOf(task: StudyTask): StudyResult | undefined {
    return this.#done.get(keyOf(task));
  }

  add(result: StudyResult): void {
    this.#done.set(keyOf(result.task), result);
    appendFileSync(this.#path, lineOf(result));
  }

  /**
   * All of these are done, and written elsewhere. Those of other flags stay: somebody may have waited hours for them.
   * @returns how many stay
   */
  remove(tasks: readonly StudyTask[]): number {
    for (const task of tasks) this.#done.delete(keyOf(task));
    if (this.#done.size === 0) rmSync(this.#path, { force: true });
    else this.#write();
    return this.#done.size;
  }

  #read(): void {
    const text = readFileSync(this.#path, 'utf8');
    const lines = text.split('\n');
    // The last one is empty, or was cut off with the process that wrote it.
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const result = parsed(line);
      if (result !== undefined) this.#done.set(keyOf(result.task), result);
      else if (line !== '') this.unreadable++;
    }
    // What is added must not go on a line that was cut off.
    if (last !== '') appendFileSync(this.#path, '\n');
  }

  /** In one step: who is killed meanwhile has the old file or the new one. */
  #write(): void {
    writeFileSync(`${this.#path}.new`, [...this.#done.values()].map(lineOf).join(''));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function parsed(line: string): StudyResult | undefined {
  try {
    const { sum, run } = JSON.parse(line) as { readonly sum?: unknown; readonly run?: StudyResult };
    return run !== undefined && sum === sumOf(JSON.stringify(run)) ? run : undefined;
  } catch {
    return undefined;
  }
}
