/**
 * A router: an observable of routees and a pick. Who is a routee follows from the membership (`eligible.ts`), which of
 * them gets a message from the strategy; this file follows the one, asks the other, and sends.
 */
import {
  type AskOptions,
  ClusterError,
  type ClusterState,
  type Member,
  type NodeKey,
} from '@rollcall/core';
import { BehaviorSubject, type Observable, Subscription } from 'rxjs';
import { Attempts } from './attempts.js';
import { Chance } from './chance.js';
import { eligible } from './eligible.js';
import { checkKey } from './key-strategies.js';
import { mayAskAnother, mayTellAnother, outcomeOf } from './retry.js';
import type { RoutedCluster } from './routed-cluster.js';
import { RouteeSet, sameMembers } from './routee-set.js';
import {
  type CheckedRouterOptions,
  checkRoutedAsk,
  checkRouter,
  checkSend,
  type RoutedAskOptions,
  type RouterOptions,
  type SendOptions,
} from './router-options.js';
import { WaitingRoom } from './waiting-room.js';

/** Suspicion is sampled so many times in a heartbeat interval, as `phi$` is. */
const SAMPLES = 4;

export interface Router {
  /** Today's routees at once, then each change, in address order; completes when the node stops or the router is closed. */
  readonly routees$: Observable<readonly Member[]>;
  readonly routees: readonly Member[];
  /**
   * The routee that the strategy would send a message to now; with `roundRobin` it is that one's turn then. Throws ClusterError
   * `noRoutee` (it cannot wait), `badSetting` (no `key` for a strategy that goes by it), `stopped`.
   */
  pick(key?: string): NodeKey;
  /**
   * Tells one routee, or all of them under `broadcast`, and says whom. A tell that certainly arrived nowhere goes to
   * another, `retries` times; that does nothing twice. The value goes as it is when this is called, unless it waits for a
   * routee or is tried again: then as it is by then. Under `broadcast` it resolves with those it could be handed to, and
   * rejects only if there are none. Rejects as `cluster.tell` does, and with `noRoutee`, `backPressure` (`waitingMax`), `aborted`.
   */
  tell(body: unknown, options?: SendOptions): Promise<readonly NodeKey[]>;
  /**
   * Asks one routee. With `retries` an ask that was not answered in time, or whose member is no routee any more, goes to another:
   * it may be done twice then. Its value goes as that of `tell` does. Each try has its own `timeoutMs`. The error is that of the last try. Rejects as
   * `cluster.ask` does, and with `noRoutee`, `backPressure` (`waitingMax`), `badSetting` under `broadcast`.
   */
  ask(body: unknown, options?: RoutedAskOptions): Promise<unknown>;
  /** Follows the cluster no longer; what waits for a routee fails with `stopped`. Idempotent. */
  close(): void;
}

/**
 * A router over the members of a cluster; it lives until the node stops or it is closed. Throws ClusterError `badSetting`
 * for an option that cannot be used, naming it.
 */
export const createRouter = (cluster: RoutedCluster, options: RouterOptions = {}): Router =>
  new ClusterRouter(cluster, options);

class ClusterRouter implements Router {
  readonly routees$: Observable<readonly Member[]>;
  readonly #cluster: RoutedCluster;
  readonly #options: CheckedRouterOptions;
  readonly #told: BehaviorSubject<readonly Member[]>;
  readonly #waiting: WaitingRoom;
  readonly #attempts = new Attempts();
  readonly #underWay = new Map<NodeKey, number>();
  readonly #subscriptions = new Subscription();
  #avoid: ReadonlySet<NodeKey> = new Set();
  #degraded: ReadonlySet<NodeKey> = new Set();
  #set: RouteeSet;
  #end: ClusterError | undefined;

  constructor(cluster: RoutedCluster, options: RouterOptions) {
    this.#options = checkRouter(options, cluster.settings);
    this.#cluster = cluster;
    this.#waiting = new WaitingRoom(cluster.clock, this.#options);
    this.#set = RouteeSet.empty(new Chance(cluster.random), this.#options.strategy);
    this.#told = new BehaviorSubject(this.#set.members);
    this.routees$ = cluster.guarded('routees$', this.#told);
    this.#follow();
  }

  #follow(): void {
    const { avoidPhi, avoidPauseMs, avoidDegraded, strategy } = this.#options;
    if (avoidPhi !== undefined) {
      const avoid$ = this.#cluster.avoid$({ phi: avoidPhi, pauseMs: avoidPauseMs });
      const next = (avoid: ReadonlySet<NodeKey>) => {
        this.#avoid = avoid;
        this.#update();
      };
      this.#subscriptions.add(avoid$.subscribe(next));
    }
    if (avoidDegraded) {
      const next = (degraded: ReadonlySet<NodeKey>) => {
        this.#degraded = degraded;
        this.#update();
      };
      this.#subscriptions.add(this.#cluster.health.degraded$.subscribe(next));
    }
    const complete = () => this.#finish('this node has stopped');
    this.#subscriptions.add(
      this.#cluster.state$.subscribe({ next: () => this.#update(), complete }),
    );
    if (strategy.readsPhi === true) this.#keepSampling();
  }

  #keepSampling(): void {
    const everyMs = this.#cluster.settings.heartbeat.interval / SAMPLES;
    let cancel = () => {};
    const sample = () => {
      if (this.#end !== undefined) return;
      this.#sample();
      cancel = this.#cluster.clock.schedule(everyMs, sample);
    };
    sample();
    this.#subscriptions.add(() => cancel());
  }

  #sample(): void {
    const pauseMs = this.#options.avoidPauseMs;
    this.#set.sample((node) => this.#cluster.phi(node, { pauseMs }));
  }

  #update(): void {
    const avoid = new Set([...this.#avoid, ...this.#degraded]);
    const members = eligible(this.#cluster.state, avoid, this.#options);
    if (sameMembers(members, this.#set.members)) return;
    this.#set = this.#set.with(members, this.#underWay);
    if (this.#options.strategy.readsPhi === true) this.#sample();
    // Whoever is none for another reason, such as that this node takes it all itself, answers what it was asked.
    this.#attempts.keep((node) => this.#set.has(node) || isCalm(this.#cluster.state, avoid, node));
    this.#waiting.open(() => this.#set.members.length > 0);
    this.#told.next(members);
  }

  #finish(why: string): void {
    if (this.#end !== undefined) return;
    this.#end = new ClusterError('stopped', why);
    this.#subscriptions.unsubscribe();
    this.#waiting.end(this.#end);
    this.#told.complete();
  }

  close(): void {
    this.#finish('this router is closed');
  }

  get routees(): readonly Member[] {
    return this.#set.members;
  }

  pick(key?: string): NodeKey {
    checkKey(key, this.#options.strategy);
    if (this.#end !== undefined) throw this.#end;
    if (this.#set.members.length === 0) throw this.#nobody();
    return this.#set.pick(key ?? '');
  }

  async tell(body: unknown, options: SendOptions = {}): Promise<readonly NodeKey[]> {
    checkSend(options);
    checkKey(options.key, this.#options.strategy);
    if (this.#options.strategy.sendsToAll === true) return this.#tellAll(body, options);
    const tried = new Set<NodeKey>();
    for (;;) {
      let to: NodeKey | undefined;
      try {
        return await this.#try(options, tried, async (node) => {
          to = node;
          await this.#cluster.tell(node, body);
          return [node];
        });
      } catch (error) {
        const isLast = tried.size >= this.#options.retries;
        if (to === undefined || isLast || !mayTellAnother(error)) throw error;
        tried.add(to);
      }
    }
  }

  #tellAll(body: unknown, { signal }: SendOptions): Promise<readonly NodeKey[]> {
    return this.#withRoutees(signal, async () => {
      const nodes = this.#set.members.map(({ node }) => node);
      const told = await Promise.allSettled(nodes.map((node) => this.#cluster.tell(node, body)));
      const failed = told.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      if (failed.length === nodes.length) throw failed[0];
      return nodes.filter((_, i) => told[i]?.status === 'fulfilled');
    });
  }

  async ask(body: unknown, options: RoutedAskOptions = {}): Promise<unknown> {
    checkRoutedAsk(options);
    const { strategy } = this.#options;
    checkKey(options.key, strategy);
    if (strategy.sendsToAll === true) {
      const message = `under ${strategy.name} a router tells; ask each of its routees by cluster.ask instead`;
      throw new ClusterError('badSetting', message, { setting: 'strategy' });
    }
    const { timeoutMs, signal, retries = this.#options.retries } = options;
    const tried = new Set<NodeKey>();
    for (let left = retries; ; left--) {
      let to: NodeKey | undefined;
      const send = (node: NodeKey) => {
        to = node;
        return this.#attempts.run(node, signal, left > 0, (until) =>
          this.#askOne(node, body, {
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
            ...(until === undefined ? {} : { signal: until }),
          }),
        );
      };
      try {
        const result = await this.#try(options, tried, send);
        if (result !== 'gone') return result.answer;
      } catch (error) {
        if (to === undefined || left === 0 || !mayAskAnother(error)) throw error;
      }
      if (to !== undefined) tried.add(to);
    }
  }

  /** One try, whose outcome is reported: members that fail too often are degraded. */
  async #askOne(node: NodeKey, body: unknown, options: AskOptions): Promise<unknown> {
    const { health } = this.#cluster;
    try {
      const answer = await this.#cluster.ask(node, body, options);
      health.report(node, true);
      return answer;
    } catch (error) {
      const isGood = outcomeOf(error);
      if (isGood !== undefined) health.report(node, isGood);
      throw error;
    }
  }

  /** Picks one and counts the message in the turn in which it is sent: the next pick sees it. */
  #try<T>(
    { key = '', signal }: SendOptions,
    tried: ReadonlySet<NodeKey>,
    send: (node: NodeKey) => Promise<T>,
  ): Promise<T> {
    return this.#withRoutees(signal, async () => {
      const node = this.#another(key, tried);
      this.#count(node, 1);
      try {
        return await send(node);
      } finally {
        this.#count(node, -1);
      }
    });
  }

  /** In this turn if there are routees, so that a message goes as it is now; or else when there are, before what is said later. */
  async #withRoutees<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    if (this.#end !== undefined) throw this.#end;
    if (this.#set.members.length > 0) return send();
    if (this.#options.whenNone !== 'wait') throw this.#nobody();
    return this.#waiting.wait(send, signal, () => this.#nobody());
  }

  /** One that was not tried yet, if there is one. */
  #another(key: string, tried: ReadonlySet<NodeKey>): NodeKey {
    if (tried.size === 0) return this.#set.pick(key);
    // From the set itself, so that many that move on at once are spread like any others; a key has one place only.
    const turns = this.#options.strategy.takesKey === true ? 0 : this.#set.members.length;
    for (let turn = 0; turn < turns; turn++) {
      const node = this.#set.pick(key);
      if (!tried.has(node)) return node;
    }
    const others = this.#set.members.filter(({ node }) => !tried.has(node));
    return (others.length === 0 ? this.#set : this.#set.with(others, this.#underWay)).pick(key);
  }

  #count(node: NodeKey, change: number): void {
    const now = (this.#underWay.get(node) ?? 0) + change;
    if (now === 0) this.#underWay.delete(node);
    else this.#underWay.set(node, now);
    this.#set.add(node, change);
  }

  #nobody(): ClusterError {
    const { role, whenNone, waitMs } = this.#options;
    const wanted = role === undefined ? 'member' : `member with the role ${role}`;
    const waited = whenNone === 'wait' ? ` within waitMs (${waitMs} ms)` : '';
    return new ClusterError('noRoutee', `no ${wanted} can be reached${waited}`, { role });
  }
}

const isCalm = ({ members }: ClusterState, avoid: ReadonlySet<NodeKey>, key: NodeKey): boolean =>
  !avoid.has(key) &&
  members.some(({ node, reachability }) => node === key && reachability !== 'unreachable');
