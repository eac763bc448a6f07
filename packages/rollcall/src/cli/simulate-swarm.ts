/** Many seeds: how far it is, what failed, and a table at the end. */
import { EXIT, type ExitCode, exitCodeOfSignal } from './exit-code.js';
import { Progress } from './progress.js';
import type { SwarmRange } from './simulate-flags.js';
import { loadSimulator } from './simulate-package.js';
import { number, verdictText } from './simulate-replay.js';
import { liveThrough, type SeedNews, type SeedResult, type SeedShrunk } from './simulate-seed.js';
import { table } from './table.js';
import { shareOut } from './thread-pool.js';
import type { World } from './world.js';

export async function swarm(range: SwarmRange, asJson: boolean, world: World): Promise<ExitCode> {
  const tally = new Tally(range, asJson, world);
  const stop = new AbortController();
  let endedBy: string | undefined;
  const forget = world.onSignal((signal) => {
    endedBy ??= signal;
    stop.abort();
  });
  let next = range.start;
  const end = range.start + range.count;
  try {
    const simulator = await loadSimulator();
    await shareOut<number, SeedNews>(range.jobs, {
      next: () => (stop.signal.aborted || next >= end ? undefined : next++),
      tell: (news) => tally.hears(news),
      signal: stop.signal,
      worker: new URL('./simulate-worker.js', import.meta.url),
      alone: (seed, tell) => liveThrough(seed, simulator, tell),
    });
  } finally {
    forget();
  }
  return tally.conclude(endedBy);
}

class Tally {
  readonly #range: SwarmRange;
  readonly #asJson: boolean;
  readonly #world: World;
  readonly #progress: Progress;
  readonly #results: SeedResult[] = [];
  readonly #shrunk = new Map<number, SeedShrunk>();
  #events = 0;

  constructor(range: SwarmRange, asJson: boolean, world: World) {
    this.#range = range;
    this.#asJson = asJson;
    this.#world = world;
    this.#progress = new Progress(world);
  }

  hears(news: SeedNews): void {
    if (news.kind === 'shrunk') {
      this.#shrunk.set(news.shrunk.seed, news.shrunk);
      this.#say(shrunkText(news.shrunk), { type: 'shrunk', ...news.shrunk });
      return;
    }
    const { result } = news;
    this.#results.push(result);
    this.#events += result.events;
    const isBad = result.verdict.kind !== 'settled';
    if (isBad || this.#asJson) this.#say(failedText(result), { type: 'seed', ...result });
    this.#show();
  }

  /** The table, and the number to exit with. What a signal ended early has held for no more than was lived through. */
  conclude(endedBy: string | undefined): ExitCode {
    if (!this.#asJson) this.#progress.clear();
    const failed = this.#failed;
    const virtualMs = this.#results.reduce((sum, result) => sum + result.virtualMs, 0);
    const seeds = this.#results.length;
    if (this.#asJson) {
      const facts = { asked: this.#range.count, seeds, failed: failed.length };
      const more = { events: this.#events, virtualMs, interrupted: endedBy !== undefined };
      this.#world.out(`${JSON.stringify({ type: 'summary', ...facts, ...more })}\n`);
    } else {
      this.#world.out(summaryTable(this.#results));
      const hours = (virtualMs / 3_600_000).toFixed(1);
      const rates = `${this.#rates()}, ${hours} hours of virtual time`;
      this.#world.out(`\n${number(seeds)} seeds, ${number(this.#events)} events: ${rates}\n`);
      if (failed.length > 0) this.#world.out(`\n${this.#list(failed)}`);
      const said = this.#lastWords(endedBy, failed.length);
      if (said !== undefined) this.#world.out(`${said}\n`);
    }
    if (endedBy !== undefined) return exitCodeOfSignal(endedBy);
    return failed.length === 0 ? EXIT.done : EXIT.other;
  }

  #lastWords(endedBy: string | undefined, failed: number): string | undefined {
    const done = this.#results.length;
    if (endedBy === undefined) return failed === 0 ? ALL_HELD : undefined;
    const far = `interrupted by ${endedBy} after ${number(done)} of ${number(this.#range.count)} seeds`;
    if (failed > 0 || done === 0) return far;
    return `${far}; in those, ${ALL_HELD}`;
  }

  get #failed(): readonly SeedResult[] {
    return this.#results.filter(({ verdict }) => verdict.kind !== 'settled');
  }

  #list(failed: readonly SeedResult[]): string {
    const lines = [...failed]
      .sort((a, b) => a.seed - b.seed)
      .map(({ seed, verdict }) => {
        const words = this.#shrunk.get(seed)?.words ?? `--seed ${seed}`;
        return `  ${verdict.kind.padEnd(9)}  rollcall simulate ${words}\n`;
      });
    return `${failed.length} failed:\n${lines.join('')}`;
  }

  #say(text: string, value: object): void {
    if (!this.#asJson) this.#progress.clear();
    this.#world.out(this.#asJson ? `${JSON.stringify(value)}\n` : `${text}\n`);
  }

  #show(): void {
    if (this.#asJson) return;
    const { count } = this.#range;
    const done = this.#results.length;
    const bad = this.#failed.length;
    this.#progress.show(
      done / count,
      () => `${number(done)} of ${number(count)} seeds, ${this.#rates()}, ${bad} failed`,
    );
  }

  #rates(): string {
    const { seconds } = this.#progress;
    const seeds = (this.#results.length / seconds).toFixed(1);
    return `${seeds} seeds/s, ${number(this.#events / seconds)} events/s`;
  }
}

const ALL_HELD = 'nothing forbidden happened, and everybody came to rest';

const failedText = ({ seed, nodes, strategy, verdict }: SeedResult): string =>
  `seed ${seed} (${nodes} nodes, ${strategy}): ${verdictText(verdict)}\n  rollcall simulate --seed ${seed}`;

const shrunkText = ({ seed, words, verdict, tries }: SeedShrunk): string =>
  `seed ${seed}, reduced in ${tries} tries: ${verdictText(verdict)}\n  rollcall simulate ${words}`;

const ENDS = ['whole', 'stopped', 'islands', 'blocked', 'full'] as const;

/** How the seeds of each strategy ended. */
function summaryTable(results: readonly SeedResult[]): string {
  const strategies = [...new Set(results.map(({ strategy }) => strategy))].sort();
  const row = (name: string, some: readonly SeedResult[]): readonly string[] => {
    const count = (end: string) =>
      some.filter(({ verdict: v }) => (v.kind === 'settled' ? v.end : 'failed') === end).length;
    const counts = [...ENDS, 'failed'].map((end) => number(count(end)));
    return [name, number(some.length), ...counts];
  };
  const rows = strategies.map((name) =>
    row(
      name,
      results.filter(({ strategy }) => strategy === name),
    ),
  );
  const head = ['STRATEGY', 'SEEDS', ...ENDS.map((end) => end.toUpperCase()), 'FAILED'];
  return table(head, [...rows, row('all', results)]);
}
