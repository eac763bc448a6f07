/**
 * What a study has done so far, a line a run, so that one which was interrupted can go on. A line holds its whole
 * task, and only the very same task is not done again: other flags, other runs.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StudyResult, StudyTask } from './simulate-package.js';

export const UNFINISHED = 'unfinished.jsonl';

const keyOf = (task: StudyTask): string => JSON.stringify(task);

export class UnfinishedRuns {
  readonly #path: string;
  readonly #done = new Map<string, StudyResult>();

  /** @param isResumed whether what is there counts; else it is thrown away */
  constructor(folder: string, isResumed: boolean) {
    this.#path = join(folder, UNFINISHED);
    if (!isResumed) rmSync(this.#path, { force: true });
    else if (existsSync(this.#path)) this.#read();
  }

  resultOf(task: StudyTask): StudyResult | undefined {
    return this.#done.get(keyOf(task));
  }

  add(result: StudyResult): void {
    this.#done.set(keyOf(result.task), result);
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
  }

  /** All is done, and written elsewhere. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): void {
    for (const line of readFileSync(this.#path, 'utf8').split('\n')) {
      const result = parsed(line);
      if (result !== undefined) this.#done.set(keyOf(result.task), result);
    }
  }
}

/** The last line may have been cut off with the process that wrote it. */
function parsed(line: string): StudyResult | undefined {
  try {
    return JSON.parse(line) as StudyResult;
  } catch {
    return undefined;
  }
}
