/**
 * A study: many runs that know nothing of each other, and what they say together. A task is a plain
 * value, so that a thread can be given one; the same tasks give the same report, in whatever order
 * they were done.
 */

/** What a study can be told, as a person writes it: by the name of the flag without its dashes. */
export type StudyFlags = Readonly<Record<string, string | undefined>>;

export interface StudyTask {
  readonly study: string;
  /** How long it takes, in whatever unit, beside the others of this study. */
  readonly weight: number;
}

export interface StudyResult {
  readonly task: StudyTask;
  /** Steps of simulated nodes. */
  readonly steps: number;
}

export interface StudyReport {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What one must know to read the table, a sentence a line. */
  readonly notes: readonly string[];
  /** The same as a picture. */
  readonly svg: string;
}

export interface Study {
  readonly name: string;
  /** @throws Error that names a flag which cannot be used */
  readonly tasks: (flags: StudyFlags) => readonly StudyTask[];
  readonly perform: (task: StudyTask) => StudyResult | Promise<StudyResult>;
  readonly report: (results: readonly StudyResult[]) => StudyReport;
}

/** What a study is made of, before its tasks are plain to everybody else. */
interface StudyParts<Task extends StudyTask, Result extends StudyResult> {
  readonly name: string;
  readonly tasks: (flags: StudyFlags) => readonly Task[];
  readonly perform: (task: Task) => Result | Promise<Result>;
  readonly report: (results: readonly Result[]) => StudyReport;
}

/** Only a study's own tasks and results ever come back to it. */
export function study<Task extends StudyTask, Result extends StudyResult>(
  parts: StudyParts<Task, Result>,
): Study {
  return parts as unknown as Study;
}

/** A whole number from a flag. */
export function countOf(flags: StudyFlags, flag: string, usual: number, max: number): number {
  const text = flags[flag];
  if (text === undefined) return usual;
  const count = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= max) return count;
  throw new Error(`--${flag} takes a whole number from 1 to ${max}, not '${text}'`);
}

/** One of some words from a flag; the first is the usual one. */
export function wordOf<Word extends string>(
  flags: StudyFlags,
  flag: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = flags[flag] ?? words[0];
  const word = words.find((each) => each === text.trim());
  if (word !== undefined) return word;
  throw new Error(`--${flag} takes ${words.join(' or ')}, not '${text}'`);
}

/** Some of what has names, by the flag `--only`; all of it unless given. */
export const chosenOf = <Name extends string>(
  flags: StudyFlags,
  all: readonly (readonly [Name, string])[],
): readonly (readonly [Name, string])[] => someOf(flags, 'only', all, ([name]) => name);

/** What a list names, each once: the runs of one that was named twice would count twice. */
export function listOf<T>(
  text: string,
  read: (item: string) => T,
  nameOf: (each: T) => unknown = (each) => each,
): readonly T[] {
  const named = new Map<unknown, T>();
  for (const each of text.split(',').map(read)) {
    if (!named.has(nameOf(each))) named.set(nameOf(each), each);
  }
  return [...named.values()];
}

/** Those of `all` whose names a flag lists; all of them unless given. */
export function someOf<T>(
  flags: StudyFlags,
  flag: string,
  all: readonly T[],
  nameOf: (each: T) => string,
): readonly T[] {
  const list = flags[flag];
  if (list === undefined) return all;
  return listOf(list, (text) => {
    const found = all.find((each) => nameOf(each) === text.trim());
    if (found !== undefined) return found;
    throw new Error(`--${flag} takes some of ${all.map(nameOf).join(',')}, not '${text}'`);
  });
}

/** Results by what they have in common, in order of appearance. */
export function groupBy<T>(
  all: readonly T[],
  keyOf: (each: T) => string,
): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
