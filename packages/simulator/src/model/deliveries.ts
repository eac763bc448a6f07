/**
 * What one process makes of a message of another (PROTOCOL "Receiving", "Joining"): gossip,
 * introduction, Welcome, notice. A message is its sender's value at some time, so a stale one is
 * answered by the same tables.
 */
import type { Replica, State } from '@rollcall/convergence';
import { type Local, withReplica } from './local.js';
import { NONE, PairLookup } from './lookup.js';
import { stepTo } from './step.js';
import type { World } from './world.js';

/** The sender is no member here: what it says is an introduction or nothing. */
export const UNKNOWN = -2;
/** The sender gets a NotMember notice that ends it. */
const ENDED = -3;
/** The same, although nobody here has removed it or means to. */
export const ENDED_FALSELY = -4;

export const isNotice = (answer: number): boolean => answer <= ENDED;

export class Deliveries {
  readonly #world: World;
  readonly #gossip: readonly PairLookup[];
  readonly #introduction: readonly PairLookup[];
  readonly #welcome: readonly PairLookup[];

  constructor(world: World) {
    this.#world = world;
    const size = world.cast.size;
    const table = (make: (from: number, to: number, a: number, b: number) => number) =>
      Array.from({ length: size * size }, (_, at) => {
        const [from, to] = [Math.floor(at / size), at % size];
        return new PairLookup((a, b) => make(from, to, a, b));
      });
    this.#gossip = table((from, to, a, b) => this.#takeGossip(from, to, a, b));
    this.#introduction = table((from, to, a, b) => this.#takeIntroduction(from, to, a, b));
    this.#welcome = table((from, to, a, b) => this.#takeWelcome(from, to, a, b));
  }

  /** The receiver's next value, `NONE`, or what the sender is told. */
  gossip(from: number, a: number, to: number, b: number): number {
    return (this.#gossip[from * this.#world.cast.size + to] as PairLookup).at(a, b);
  }

  /** The acceptor's next value, if the newcomer's token is good. */
  introduction(from: number, a: number, to: number, b: number): number {
    return (this.#introduction[from * this.#world.cast.size + to] as PairLookup).at(a, b);
  }

  /** The newcomer's next value, when the acceptor's value `a` comes as a Welcome. */
  welcome(from: number, a: number, to: number, b: number): number {
    return (this.#welcome[from * this.#world.cast.size + to] as PairLookup).at(a, b);
  }

  #takeGossip(from: number, to: number, a: number, b: number): number {
    const [sender, receiver] = this.#both(from, to, a, b);
    if (sender === null || receiver === null) return NONE;
    const { under } = this.#world;
    const judgement = under.judge(receiver, sender.self, sender.state, sender.state.epoch);
    if (judgement === 'unknown' || judgement === 'removed') {
      return this.#notice(from, to, a, b, judgement === 'removed');
    }
    if (judgement !== 'merge') return NONE;
    return this.#merge(from, to, a, b);
  }

  #merge(from: number, to: number, a: number, b: number): number {
    const { under } = this.#world;
    const sender = this.#world.table(from).get(a);
    return stepTo(this.#world, to, b, (local) => {
      if (local.replica === null || sender.replica === null) return null;
      const { state, seen } = sender.replica;
      this.#world.noteMerge(local.replica.state, state);
      const next = under.receive(local.replica, state, seen);
      this.#compareStatus(local.replica, sender.replica, next);
      return next === local.replica
        ? this.#learn(local, sender)
        : withReplica(local, next, sender.removed);
    });
  }

  /** A Status of the same digest must do what the whole state would (PROTOCOL "Dissemination"). */
  #compareStatus(receiver: Replica, sender: Replica, next: Replica): void {
    const { noteSeen, judge } = this.#world.under;
    if (noteSeen === null || sender.state !== receiver.state) return;
    const { digest, epoch } = sender.state;
    const told = noteSeen(receiver, digest, sender.seen);
    const isSame = told.phase === next.phase && told.seen.covers(next.seen);
    const isHeard = judge(receiver, sender.self, null, epoch) === 'merge';
    if (!isSame || !next.seen.covers(told.seen) || !isHeard) {
      throw new Error('a Status does something else than the state it stands for');
    }
  }

  /** Nothing new, but its history is now that of both. */
  #learn(local: Local, sender: Local): Local | null {
    const removed = local.removed | sender.removed;
    return local.stage === 'exited' || removed === local.removed ? null : { ...local, removed };
  }

  /**
   * A NotMember is heeded only by who holds its sender live; it must be true then (PROTOCOL
   * "Receiving").
   */
  #notice(from: number, to: number, a: number, b: number, removed: boolean): number {
    const [sender, receiver] = this.#both(from, to, a, b);
    if (sender === null || receiver === null) return NONE;
    const { epoch } = receiver.state;
    const heeds = this.#world.under.heedsNotice(sender, receiver.self, removed, epoch);
    if (!heeds) return removed ? NONE : UNKNOWN;
    const isDown = receiver.state.get(sender.self)?.status === 'Down';
    const wasRemoved = ((this.#world.table(to).get(b).removed >> from) & 1) === 1;
    return isDown || wasRemoved ? ENDED : ENDED_FALSELY;
  }

  #takeIntroduction(from: number, to: number, a: number, b: number): number {
    const [sender, receiver] = this.#both(from, to, a, b);
    if (sender === null || receiver === null) return NONE;
    const { under } = this.#world;
    const answer = under.judgeIntroduction(receiver, sender.self, sender.state);
    return answer === 'receive' ? this.#merge(from, to, a, b) : NONE;
  }

  /**
   * A first Welcome starts a newcomer; a later one, of a higher epoch, replaces its private copy.
   */
  #takeWelcome(from: number, to: number, a: number, b: number): number {
    const acceptor = this.#world.table(from).get(a);
    const { under, cast } = this.#world;
    const key = cast.keys[to] ?? '';
    if (acceptor.replica === null || !under.mayIntroduce(acceptor.replica, key)) return NONE;
    const sent: Replica = acceptor.replica;
    return stepTo(this.#world, to, b, (local) => {
      if (local.stage !== 'off' && !this.#isFresh(local, from, sent.state)) return null;
      const replica = under.introduce(sent, { key, roles: [], appVersion: '1' });
      return {
        ...local,
        stage: replica.phase === 'member' ? 'member' : 'introducing',
        replica,
        removed: acceptor.removed,
        acceptor: from,
      };
    });
  }

  #isFresh(local: Local, from: number, state: State): boolean {
    if (local.stage !== 'introducing' || local.acceptor !== from || local.accepted) return false;
    return local.replica !== null && state.epoch > local.replica.state.epoch;
  }

  #both(from: number, to: number, a: number, b: number): [Replica | null, Replica | null] {
    return [this.#world.table(from).get(a).replica, this.#world.table(to).get(b).replica];
  }
}
