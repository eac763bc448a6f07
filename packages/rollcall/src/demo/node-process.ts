/** One `rollcall node` as a process of its own, with its log in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Place } from './place.js';

const COMMAND = fileURLToPath(new URL('../bin.js', import.meta.url));
const TETHER = new URL('./tether.js', import.meta.url).href;

export interface LogFact {
  readonly event?: string;
  readonly node?: string;
  readonly uid?: string;
  readonly msg?: string;
}

/** One run of a node, as the story and its listeners see it. */
export interface NodeRun {
  readonly pid: number | undefined;
  readonly logFile: string;
  /** How it ended; undefined while it runs. */
  readonly ended: number | string | undefined;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  signal(signal: NodeJS.Signals): void;
  /** What it logged so far; what is no JSON is left out. */
  log(): readonly LogFact[];
  /** The last lines of its log. */
  tail(count: number): readonly string[];
}

export class NodeProcess implements NodeRun {
  readonly logFile: string;
  readonly exited: Promise<number | string>;
  #ended: number | string | undefined;
  readonly #child: ChildProcess;

  constructor(logFile: string, args: readonly string[]) {
    this.logFile = logFile;
    const log = openSync(logFile, 'w');
    // A group of its own: Ctrl-C is for the demo, which decides who goes and in which order.
    this.#child = spawn(process.execPath, ['--import', TETHER, COMMAND, ...args], {
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.exited = new Promise((resolve) => {
      const end = (how: number | string) => {
        this.#ended = how;
        resolve(how);
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(code ?? signal ?? 'unknown'));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): number | string | undefined {
    return this.#ended;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#ended === undefined) this.#child.kill(signal);
  }

  log(): readonly LogFact[] {
    return this.#lines().flatMap((line) => {
      try {
        return [JSON.parse(line) as LogFact];
      } catch {
        return [];
      }
    });
  }

  tail(count: number): readonly string[] {
    return this.#lines().slice(-count);
  }

  #lines(): readonly string[] {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n');
  }
}

/** The arguments of a node of the demo: all list the same seeds. */
export function nodeArguments(
  place: Place,
  places: readonly Place[],
  set: readonly string[],
): string[] {
  return [
    'node',
    '--name',
    'demo',
    '--listen',
    place.address,
    '--management',
    place.management.replace('http://', ''),
    '--management-write',
    ...places.flatMap(({ address }) => ['--seed', address]),
    ...set.flatMap((pair) => ['--set', pair]),
  ];
}
