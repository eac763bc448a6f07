/**
 * The processes of one test: `rollcall` nodes, its other commands, and programs. Whatever is still
 * running when the test ends, however it ends, is killed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MembersAnswer } from '@rollcall/management';
import { test as base } from 'vitest';
import { findPlaces, type Place } from './places.testing.js';
import { ProcessRun, ROOT } from './process-run.testing.js';
import { ask, isOneCluster, lookAt, type Sight, show } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

const COMMAND = `${ROOT}packages/rollcall/dist/bin.js`;
const PROGRAMS = `${ROOT}test/processes/programs`;
const EXAMPLES = `${ROOT}examples`;

export interface NodeOptions {
  readonly seeds: readonly (Place | string)[];
  readonly name?: string;
  /** `key=value`. */
  readonly set?: readonly string[];
  /** Any other flags. */
  readonly flags?: readonly string[];
}

/** For tests whose every wait has a bound of its own: this one is for what hangs. */
export const LONG = { timeout: 240_000 } as const;

/** A `rollcall node` at its place. */
export class NodeRun extends ProcessRun {
  readonly place: Place;
  readonly #options: NodeOptions;

  constructor(place: Place, options: NodeOptions, files: string) {
    const { seeds, name = 'herd', set = [], flags = [] } = options;
    const args = [
      'node',
      '--name',
      name,
      '--listen',
      place.address,
      '--management',
      place.management.replace('http://', ''),
      '--management-write',
      ...seeds.flatMap((seed) => ['--seed', typeof seed === 'string' ? seed : seed.address]),
      ...set.flatMap((pair) => ['--set', pair]),
    ];
    super(place.address, files, COMMAND, [...args, ...flags]);
    this.place = place;
    this.#options = options;
  }

  get options(): NodeOptions {
    return this.#options;
  }

  /** What became of the process, for whoever reads a failure. */
  get state(): string {
    return this.ended === undefined ? 'no answer' : `ended with ${this.ended}`;
  }

  /** What it sees; undefined when it does not answer. */
  members(): Promise<MembersAnswer | undefined> {
    return ask(`${this.place.management}/cluster/members`);
  }

  /** The uid of this run, as the node itself says. */
  async uid(): Promise<string> {
    const answer = await this.members();
    if (answer === undefined) throw new Error(`${this.title} does not say who it is`);
    return answer.selfUid;
  }

  /** Did it log that event, of that run where one is given. */
  told(event: string, uid?: string): boolean {
    return this.log.some((line) => line.event === event && (uid === undefined || line.uid === uid));
  }
}

export class Herd {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rollcall-herd-'));
  readonly #runs: ProcessRun[] = [];
  readonly #files: string[] = [];
  #lastWords = '';

  places = findPlaces;

  start(place: Place, options: NodeOptions): NodeRun {
    return this.#add(new NodeRun(place, options, this.#output()));
  }

  /** One node at each place, all with the same list of seeds: all places unless told otherwise. */
  startAll(places: readonly Place[], options: Partial<NodeOptions> = {}): readonly NodeRun[] {
    return places.map((place) => this.start(place, { seeds: places, ...options }));
  }

  /** Another process at the place of one that has ended, with the same arguments. */
  restart({ place, options }: NodeRun): NodeRun {
    return this.start(place, options);
  }

  /** A file that lasts as long as the test. */
  file(text: string): string {
    const path = join(this.#folder, `file-${this.#files.length}`);
    writeFileSync(path, text);
    this.#files.push(path);
    return path;
  }

  /** One of `programs/`. */
  program(name: string, ...args: readonly string[]): ProcessRun {
    return this.#add(new ProcessRun(name, this.#output(), `${PROGRAMS}/${name}`, args));
  }

  /** One of `examples/`, as built. */
  example(name: string, ...args: readonly string[]): ProcessRun {
    const main = `${EXAMPLES}/${name}/dist/main.js`;
    return this.#add(new ProcessRun(name, this.#output(), main, args));
  }

  /** `rollcall …`, whatever becomes of it. */
  begin(...args: readonly string[]): ProcessRun {
    const title = `rollcall ${args[0]}`;
    return this.#add(new ProcessRun(title, this.#output(), COMMAND, args));
  }

  /** `rollcall …` to its end. */
  async command(...args: readonly string[]): Promise<ProcessRun> {
    const run = this.begin(...args);
    await this.exitOf(run, BOUNDS.start);
    return run;
  }

  /** Until each of them listens. */
  async listening(nodes: readonly NodeRun[]): Promise<void> {
    const silent = () => nodes.filter((node) => !node.told('listening'));
    const names = (those: readonly NodeRun[]) => those.map(({ title }) => title).join();
    await until('all listen', BOUNDS.start, silent, ({ length }) => length === 0, names);
  }

  /** Until they are one cluster of exactly these, all Up everywhere; counted from the last one listening. */
  async formed(nodes: readonly NodeRun[], withinMs: number = BOUNDS.form): Promise<Sight> {
    await this.listening(nodes);
    return this.see(`${nodes.length} nodes are one cluster`, withinMs, nodes, isOneCluster);
  }

  /** Until what these nodes see is as it should be. */
  see(
    what: string,
    withinMs: number,
    nodes: readonly NodeRun[],
    holds: (sight: Sight) => boolean,
  ): Promise<Sight> {
    return until(what, withinMs, () => lookAt(nodes), holds, show);
  }

  /** The exit code, or the signal that ended it. */
  async exitOf(run: ProcessRun, withinMs: number): Promise<number | string | undefined> {
    const last = () => `it runs on; its log ends with\n${tail(run, 3)}`;
    return until(`${run.title} ends`, withinMs, () => run.ended, isDefined, last);
  }

  async end(): Promise<void> {
    this.#lastWords = this.#runs.map((run) => `${run.title}:\n${tail(run, 12)}`).join('\n');
    for (const run of this.#runs) run.signal('SIGKILL');
    await Promise.all(this.#runs.map(({ gone }) => gone));
    rmSync(this.#folder, { recursive: true });
  }

  /** The last lines of all logs, taken before `end` has thrown them away. */
  get lastWords(): string {
    return this.#lastWords;
  }

  #output(): string {
    return join(this.#folder, `${this.#runs.length}`);
  }

  #add<R extends ProcessRun>(run: R): R {
    this.#runs.push(run);
    return run;
  }
}

const isDefined = (value: unknown): boolean => value !== undefined;

const tail = ({ err }: ProcessRun, count: number): string =>
  err.trimEnd().split('\n').slice(-count).join('\n');

/** A test with a herd of its own. */
export const test = base.extend<{ herd: Herd }>({
  herd: async ({ task, onTestFailed }, use) => {
    const herd = new Herd();
    onTestFailed(() => console.error(`${task.name}\n${herd.lastWords}`));
    try {
      await use(herd);
    } finally {
      await herd.end();
    }
  },
});
