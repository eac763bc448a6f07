/**
 * What a study has done so far, a line a run, so that one which was interrupted can go on. A line holds its whole
 * task, and only the very same task is not done again: other flags, other runs.
 */
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

export class UnfinishedRuns {
  readonly #path: string;
  readonly #done = new Map<string, StudyResult>();
  /** How many there were, and are thrown away. */
  readonly thrownAway: number;

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
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
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
    for (const line of text.split('\n')) {
      const result = parsed(line);
      if (result !== undefined) this.#done.set(keyOf(result.task), result);
    }
    // What is added must not go on a line that was cut off.
    if (!text.endsWith('\n')) appendFileSync(this.#path, '\n');
  }

  /** In one step: who is killed meanwhile has the old file or the new one. */
  #write(): void {
    const lines = [...this.#done.values()].map((result) => `${JSON.stringify(result)}\n`);
    writeFileSync(`${this.#path}.new`, lines.join(''));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

/** The last line may have been cut off with the process that wrote it, and anybody may have written here. */
function parsed(line: string): StudyResult | undefined {
  try {
    const value = JSON.parse(line) as Partial<StudyResult> | null;
    const isResult = typeof value?.task?.study === 'string' && typeof value.steps === 'number';
    return isResult ? (value as StudyResult) : undefined;
  } catch {
    return undefined;
  }
}
