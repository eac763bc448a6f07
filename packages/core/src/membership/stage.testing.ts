/**
 * One machine on a stage: the test plays everybody it talks to, message by message, and reads what it
 * answers. For what a whole cluster would do too seldom, or never.
 */
import {
  apply,
  diff,
  emptyRow,
  f,
  introduce,
  type Member,
  type NodeKey,
  Seen,
  State,
} from '@rollcall/convergence';
import type { ClusterEvent } from './cluster-event.js';
import type { Directive } from './directive.js';
import { PROTOCOL } from './hello.js';
import type { Input, TimerKind } from './input.js';
import { Membership } from './membership.js';
import type { Message, Standing } from './message.js';
import { rulesOf } from './rules-of.js';
import { agreedSettings, readSettings } from './settings.js';

const ADDRESS = 'ws://m:7000';
const ROLES = ['worker'];

type Said<K extends Message['kind']> = Extract<Message, { kind: K }>;
type Told<T extends ClusterEvent['type']> = ClusterEvent & { readonly type: T };

export const outside: Standing = {
  clusterId: undefined,
  first: false,
  loner: false,
  size: 0,
  acceptors: [],
};

/** A member that is up since the cluster began. */
export const upMember = (key: NodeKey, change: Partial<Member> = {}): Member => ({
  key,
  status: 'Up',
  upNumber: 1,
  row: emptyRow,
  roles: [],
  appVersion: '1',
  ...change,
});

export const stateOf = (members: readonly Member[], epoch = 5): State =>
  State.from({ clusterId: members[0]?.key ?? '', epoch, members, removed: [] });

export class Stage {
  readonly machine: Membership;
  nowMs = 1_000;
  /** All that the machine asked for in the last call. */
  out: Directive[] = [];
  readonly #seeds: readonly string[];
  readonly settings;
  readonly #timers = new Map<TimerKind, number>();
  #uids = 0;

  constructor(settings: Record<string, unknown> = {}, seeds: readonly string[] = [ADDRESS]) {
    this.settings = readSettings(settings);
    this.#seeds = seeds;
    const options = { name: 'test', address: ADDRESS, seeds, roles: ROLES, appVersion: '1' };
    const uid = () => (++this.#uids).toString(16).padStart(16, '0');
    this.machine = new Membership(
      { ...options, settings: this.settings },
      { next: () => 0.5, uid },
    );
  }

  get self(): NodeKey {
    return this.machine.self;
  }

  get rules() {
    return rulesOf(this.settings);
  }

  /** One input, now. */
  step(input: Input): readonly Directive[] {
    this.out = [...this.machine.step(input, this.nowMs)];
    for (const directive of this.out)
      if (directive.kind === 'arm') this.#timers.set(directive.timer.kind, directive.timer.dueMs);
    return this.out;
  }

  hears(from: NodeKey, message: Message): readonly Directive[] {
    return this.step({ kind: 'received', from, message });
  }

  /** Lets time pass; timers fire as they fall due. */
  passes(ms: number): readonly Directive[] {
    const endMs = this.nowMs + ms;
    const all: Directive[] = [];
    for (;;) {
      const [first] = [...this.#timers].sort(([, a], [, b]) => a - b);
      if (first === undefined || first[1] > endMs) break;
      this.#timers.delete(first[0]);
      this.nowMs = Math.max(this.nowMs, first[1]);
      all.push(...this.step({ kind: 'timer', timer: { kind: first[0], dueMs: first[1] } }));
    }
    this.nowMs = endMs;
    this.out = all;
    return all;
  }

  /** What the last call sent, of one kind. */
  sent<K extends Message['kind']>(kind: K, to?: NodeKey): Said<K>[] {
    return this.out.flatMap((each) => {
      const isIt =
        each.kind === 'send' && each.message.kind === kind && (to === undefined || each.to === to);
      return isIt ? [each.message as Said<K>] : [];
    });
  }

  /** What the last call told subscribers, of one kind. */
  told<T extends ClusterEvent['type']>(type: T): Told<T>[] {
    return this.out.flatMap((each) =>
      each.kind === 'emit' && each.event.type === type ? [each.event as Told<T>] : [],
    );
  }

  get stopped() {
    return this.out.find((each) => each.kind === 'stop');
  }

  statusOf(key: NodeKey): string | undefined {
    return this.machine.state.members.find((member) => member.node === key)?.status;
  }

  // What others do.

  links(key: NodeKey, dialled?: string): readonly Directive[] {
    const settings = agreedSettings(this.settings);
    const peer = { cluster: 'test', protocol: PROTOCOL, self: key, settings };
    return this.step({ kind: 'linkUp', peer, dialled });
  }

  resolves(...addresses: readonly string[]): readonly Directive[] {
    const seeds = this.#seeds.map((seed) => ({ seed, addresses: [seed], problem: undefined }));
    const given = addresses.map((seed) => ({ seed, addresses: [seed], problem: undefined }));
    return this.step({ kind: 'resolved', seeds: addresses.length > 0 ? given : seeds });
  }

  /** It lists itself alone, and founds. */
  founds(): this {
    this.step({ kind: 'start' });
    this.resolves();
    return this;
  }

  /** Finds `acceptor` in a cluster of this state, and asks it; the test answers. */
  asks(acceptor: NodeKey, state: State): this {
    this.step({ kind: 'start' });
    return this.asksAgain(acceptor, state);
  }

  /** The same after it has started over. */
  asksAgain(acceptor: NodeKey, state: State): this {
    this.resolves();
    this.links(acceptor);
    const standing = {
      ...outside,
      clusterId: state.clusterId,
      size: state.size,
      acceptors: [acceptor],
    };
    this.hears(acceptor, { kind: 'seedAnswer', standing });
    return this;
  }

  /** Is let in by `acceptor` and goes up, everybody playing along; returns the state all end with. */
  enters(state: State, acceptor: NodeKey): State {
    this.asks(acceptor, state);
    this.hears(acceptor, { kind: 'welcome', token: '00000000000000aa', patch: diff(null, state) });
    const introduced = this.sent('introduce')[0];
    let now = introduced && apply(state, introduced.patch);
    for (let rounds = 0; now !== undefined && rounds < 4; rounds++) {
      this.hears(acceptor, seenByAll(now));
      const next = f(now, this.rules);
      if (next === null) return now;
      now = next;
    }
    throw new Error('the machine did not introduce itself');
  }

  /** Lets a joiner in, which plays along until it is up here. */
  admits(key: NodeKey): State {
    this.links(key);
    this.hears(key, { kind: 'join', roles: [], appVersion: '1' });
    const welcome = this.sent('welcome', key)[0];
    if (welcome === undefined) throw new Error(`${key} was not welcomed`);
    const before = apply(null, welcome.patch);
    if (before === undefined) throw new Error('the welcome does not apply');
    const { state } = introduce(before, { key, roles: [], appVersion: '1' });
    this.hears(key, { kind: 'introduce', token: welcome.token, patch: diff(before, state) });
    return this.agrees(key, state);
  }

  /** The other says, for each state that follows, that everybody has seen it. */
  agrees(key: NodeKey, state: State): State {
    let now = state;
    for (let rounds = 0; rounds < 8; rounds++) {
      this.hears(key, seenByAll(now));
      const next = f(now, this.rules);
      if (next === null) return now;
      now = next;
    }
    throw new Error('the cluster does not come to rest');
  }
}

export const statusOf = (state: State, seen: Seen = Seen.all(state)) => ({
  epoch: state.epoch,
  digest: state.digest,
  seen: seen.isAll ? ('all' as const) : seen.bytes,
});

/** `state`, and that everybody has seen it. */
export const seenByAll = (state: State): Message => ({
  kind: 'status',
  status: statusOf(state),
  want: false,
});

/** The difference from a state to the next, as a member sends it that alone has seen the next. */
export const told = (from: State | null, to: State, by: NodeKey): Message => ({
  kind: 'patch',
  patch: diff(from, to),
  seen: Seen.only(to, by).bytes,
});
