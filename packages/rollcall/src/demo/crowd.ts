/** The processes of the demo: which one is at which place, what became of it, and the end of all. */
import { join } from 'node:path';
import { NodeProcess, type NodeRun, nodeArguments } from './node-process.js';
import type { Place } from './place.js';

export class Crowd {
  readonly places: readonly Place[];
  readonly #folder: string;
  readonly #set: readonly string[];
  /** By place, the runs there, the latest last. */
  readonly #runs = new Map<Place, NodeProcess[]>();

  /** Logs go to `folder`; `set` are settings that all nodes get, as `key=value`. */
  constructor(places: readonly Place[], folder: string, set: readonly string[]) {
    this.places = places;
    this.#folder = folder;
    this.#set = set;
  }

  start(place: Place): void {
    const runs = this.#runs.get(place) ?? [];
    const run = runs.length === 0 ? '' : `.run-${runs.length + 1}`;
    const logFile = join(this.#folder, `node-${place.number}${run}.log`);
    const started = new NodeProcess(logFile, nodeArguments(place, this.places, this.#set));
    this.#runs.set(place, [...runs, started]);
  }

  /** The latest process at a place. */
  at(place: Place): NodeRun {
    const latest = this.#runs.get(place)?.at(-1);
    if (latest === undefined) throw new Error(`nothing was started at ${place.address}`);
    return latest;
  }

  /** `pid 4711`, or how it ended. */
  describe = (place: Place): string => {
    const latest = this.#runs.get(place)?.at(-1);
    if (latest === undefined) return 'not started';
    const { ended, pid } = latest;
    return ended === undefined ? `pid ${pid}` : typeof ended === 'number' ? `exit ${ended}` : ended;
  };

  /** At once, and as a last act of this process too: nothing here waits. */
  killAll(): void {
    for (const runs of this.#runs.values()) for (const run of runs) run.signal('SIGKILL');
  }

  /** Until none of them is left. */
  async gone(): Promise<void> {
    await Promise.all([...this.#runs.values()].flat().map(({ exited }) => exited));
  }
}
