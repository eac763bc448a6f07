/** The worker processes. Each has a name, and the one that takes its place later has the same. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Member } from 'rollcall';
import { Subject } from 'rxjs';

export const NAMES: readonly string[] = ['ann', 'ben', 'cid', 'dee', 'eve'];

const FILE = fileURLToPath(new URL('worker.js', import.meta.url));

export const nameOf = ({ roles }: Member): string | undefined =>
  NAMES.find((name) => roles.includes(name));

export class Crew {
  /** The name of each process that ends, unless another has its name by then. */
  readonly exits$ = new Subject<string>();
  readonly #seed: string;
  readonly #processes = new Map<string, ChildProcess>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Starts the process of that name; one before it that only stands still is killed. */
  start(name: string): void {
    const before = this.#processes.get(name);
    const process = fork(FILE, [this.#seed, name]);
    this.#processes.set(name, process);
    before?.kill('SIGKILL');
    process.once('exit', () => {
      if (this.#processes.get(name) === process) this.exits$.next(name);
    });
  }

  kill(name: string): void {
    this.#processes.get(name)?.kill('SIGKILL');
  }

  pid(name: string): number | undefined {
    return this.#processes.get(name)?.pid;
  }

  /** Is that member the process which has the name today, and not one before it. */
  isToday(name: string, { roles }: Member): boolean {
    return roles.includes(`pid-${this.pid(name)}`);
  }

  killAll(): void {
    for (const process of this.#processes.values()) process.kill('SIGKILL');
  }
}
