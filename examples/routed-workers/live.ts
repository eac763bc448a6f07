/** The example as it runs with a page: the load goes on, whoever looks kills workers, and lost ones are replaced. */
import type { Member } from 'rollcall';
import {
  concat,
  defer,
  firstValueFrom,
  from,
  fromEvent,
  interval,
  map,
  merge,
  type Observable,
  of,
  pairwise,
  Subject,
  Subscription,
  timer,
} from 'rxjs';
import { NAMES, nameOf } from './crew.js';
import { Load } from './load.js';
import {
  KEPT_MS,
  type Mark,
  type MarkKind,
  type News,
  type Sample,
  type Today,
} from './page/news.js';
import { sentence } from './page/words.js';
import type { Page } from './page.js';
import { type Stage, TICK_MS } from './stage.js';

const SAMPLE_MS = 500;
/** What a standstill has missed beyond half a second is not made up for. */
const LATE_TICKS_MAX = 50;
/** For a worker that comes and goes all the time, as on a machine that is too busy. */
const MARKS_MAX = 100;
/** Before a process that ended without ever having been a member is started again. */
const AGAIN_MS = 1_000;
/** The first to be killed, as without a page. */
const FIRST = NAMES.indexOf('cid');

/** Until Ctrl-C. */
export async function keepGoing(stage: Stage, page: Page): Promise<void> {
  const live = new Live(stage);
  page.show(live);
  console.log(`open ${page.url} in a browser, and kill a worker there. Ctrl-C ends it.`);
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => fromEvent(process, name));
  const why = await firstValueFrom(
    merge(merge(...signals).pipe(map(() => '')), from(stage.cluster.ended).pipe(map(toWords))),
  );
  live.end();
  await page.close();
  const { withRetries, without } = live.today;
  console.log(`with retries:    ${withRetries.asked} asks, ${withRetries.failed} failed`);
  console.log(`without retries: ${without.asked} asks, ${without.failed} failed`);
  if (why !== '') throw new Error(`the node that asks has stopped: ${why}`);
}

const toWords = ({ message }: { readonly message: string }): string => message;

/** What happens to the workers, as it happens: the last minute of it, and the rest as it comes. */
class Live {
  /** All that is known first, then each change. */
  readonly news$: Observable<News>;
  readonly #stage: Stage;
  readonly #news = new Subject<News>();
  readonly #running = new Subscription();
  readonly #withRetries: Load;
  readonly #without: Load;
  readonly #why = new Map<Load, string>();
  readonly #last = new Map<string, MarkKind>();
  readonly #killedMs = new Map<string, number>();
  #samples: readonly Sample[] = [];
  #marks: readonly Mark[] = [];
  readonly #beganMs = performance.now();
  #sampledMs = this.#beganMs;
  #ticks = 0;
  #kills = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#withRetries = new Load(stage.careful, (why) => this.#why.set(this.#withRetries, why));
    this.#without = new Load(stage.plain, (why) => this.#why.set(this.#without, why));
    this.news$ = defer(() => {
      const [samples, marks, today] = [this.#samples, this.#marks, this.today];
      return concat(of<News>({ type: 'now', samples, marks, today }), this.#news);
    });
    this.#askOn();
    this.#watch();
  }

  get today(): Today {
    const count = (load: Load) => {
      const why = this.#why.get(load);
      const { asked, failed } = load;
      return why === undefined ? { asked, failed } : { asked, failed, why };
    };
    return {
      workers: NAMES.map((name) => ({
        name,
        pid: this.#stage.crew.pid(name),
        last: this.#last.get(name),
      })),
      mayKill: this.#mayKill,
      withRetries: count(this.#withRetries),
      without: count(this.#without),
    };
  }

  /** One that is only avoided, as on a busy machine, is in nobody's way. */
  get #mayKill(): boolean {
    const lost = [...this.#last.values()].some(
      (kind) => kind === 'unreachable' || kind === 'removed',
    );
    return this.#killedMs.size === 0 && !lost;
  }

  /** Kills the next worker and says which; undefined while one is still being replaced: one story at a time. */
  kill(): string | undefined {
    if (!this.#mayKill) return undefined;
    const name = NAMES[(FIRST + this.#kills++) % NAMES.length] ?? '';
    this.#stage.crew.kill(name);
    this.#mark('killed', name);
    return name;
  }

  end(): void {
    this.#running.unsubscribe();
    this.#news.next({ type: 'end' });
    this.#news.complete();
  }

  #askOn(): void {
    this.#running.add(interval(TICK_MS).subscribe(() => this.#ask()));
    this.#running.add(interval(SAMPLE_MS).subscribe(() => this.#sample()));
  }

  /** As many as are due: timers are late on a busy machine, and a dip is to mean that answers are missing, not asks. */
  #ask(): void {
    const due = Math.floor((performance.now() - this.#beganMs) / TICK_MS);
    this.#ticks = Math.max(this.#ticks, due - LATE_TICKS_MAX);
    for (; this.#ticks < due; this.#ticks++) {
      this.#withRetries.ask();
      this.#without.ask();
    }
  }

  #watch(): void {
    const { cluster, crew, careful } = this.#stage;
    const events = cluster.events$.subscribe((event) => {
      if (event.type === 'memberUnreachable') this.#ifToday('unreachable', event.member);
      if (event.type !== 'memberRemoved') return;
      const name = this.#ifToday('removed', event.member);
      if (name !== undefined) crew.start(name);
    });
    const routees = careful.routees$.pipe(pairwise()).subscribe(([before, after]) => {
      const isIn = (list: readonly Member[], { node }: Member) =>
        list.some((each) => each.node === node);
      for (const member of before) if (!isIn(after, member)) this.#avoided(member);
      for (const member of after) if (!isIn(before, member)) this.#ifToday('back', member);
    });
    this.#running.add(events);
    this.#running.add(routees);
    this.#running.add(crew.exits$.subscribe((name) => this.#exited(name)));
  }

  /** The suspicion of this router comes before what the cluster says; a member of which the cluster is sure is told of by that. */
  #avoided({ node }: Member): void {
    const member = this.#stage.cluster.state.members.find((each) => each.node === node);
    if (member !== undefined && member.reachability !== 'unreachable')
      this.#ifToday('avoided', member);
  }

  /** A member that is not the process of today was told of before. */
  #ifToday(kind: MarkKind, member: Member): string | undefined {
    const name = nameOf(member);
    if (name === undefined || !this.#stage.crew.isToday(name, member)) return undefined;
    this.#mark(kind, name);
    return name;
  }

  #exited(name: string): void {
    this.#mark('killed', name);
    const { cluster, crew } = this.#stage;
    // A member is replaced when it is removed; one that had not joined yet is removed by nobody.
    if (cluster.state.members.some((member) => crew.isToday(name, member))) return;
    this.#running.add(timer(AGAIN_MS).subscribe(() => crew.start(name)));
  }

  #mark(kind: MarkKind, worker: string): void {
    if (this.#last.get(worker) === kind) return;
    const atMs = performance.now();
    this.#last.set(worker, kind);
    if (kind === 'killed') this.#killedMs.set(worker, atMs);
    const killedMs = this.#killedMs.get(worker);
    if (kind === 'back') this.#killedMs.delete(worker);
    const mark: Mark = {
      atMs,
      kind,
      worker,
      ...(killedMs === undefined ? {} : { afterMs: atMs - killedMs }),
    };
    this.#marks = [...kept(this.#marks, atMs), mark].slice(-MARKS_MAX);
    console.log(sentence(mark));
    this.#news.next({ type: 'mark', mark, today: this.today });
  }

  #sample(): void {
    const atMs = performance.now();
    // By what has passed, and not by what should have: a busy machine is late.
    const seconds = (atMs - this.#sampledMs) / 1_000;
    this.#sampledMs = atMs;
    const answered = this.#withRetries
      .shares(NAMES)
      .map((count) => Math.round((count / seconds) * 10) / 10);
    const sample = { atMs, answered };
    this.#samples = [...kept(this.#samples, atMs), sample];
    this.#news.next({ type: 'sample', sample, today: this.today });
  }
}

const kept = <T extends { readonly atMs: number }>(all: readonly T[], nowMs: number): T[] =>
  all.filter(({ atMs }) => atMs >= nowMs - KEPT_MS);
