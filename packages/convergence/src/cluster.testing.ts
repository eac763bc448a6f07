/**
 * A few replicas in one process, moved by the shipped functions and by nothing else, looked at from
 * outside by `checker.testing.ts` after each step. Tests drive it by script or by chance; nothing
 * happens unless a test says so: gossip, fires, crashes, even the delivery of old messages.
 *
 * Names are short: `A` stands for the key `A#1`, `B2` for `B#2`, a later run on the same address.
 */
import { checkAll, checkFire } from './checker.testing.js';
import {
  assertInvariants,
  beginLeave,
  declareExited,
  defaultRules,
  downing,
  emptyRow,
  f,
  heedsNotice,
  holdersOf,
  introduce,
  isLive,
  judge,
  judgeIntroduction,
  type Member,
  markDown,
  mayIntroduce,
  type NodeKey,
  type Replica,
  type Rules,
  receive,
  replicaOf,
  Seen,
  State,
  setRow,
  settle,
  setWeaklyUp,
} from './index.js';

/** What a message carries. `removed` is the ghost: whom the sender's history has removed. */
export interface Snapshot {
  readonly from: NodeKey;
  readonly state: State;
  readonly seen: Seen;
  readonly removed: ReadonlySet<NodeKey>;
}

export interface Process {
  replica: Replica;
  removed: ReadonlySet<NodeKey>;
  isRunning: boolean;
  /** Who welcomed it; a newcomer talks to nobody else. */
  acceptor: NodeKey | null;
}

export const keyOf = (name: string): NodeKey => `${name[0]}#${name.slice(1) || '1'}`;

export const plainRules: Rules = Object.freeze({ ...defaultRules, observers: 1 });

/** Names with their numbers 1, 2, …, all Up and committed. */
export function stateOf(names: readonly string[]): State {
  const members = names.map(
    (name, index): Member => ({
      key: keyOf(name),
      status: 'Up',
      upNumber: index + 1,
      row: emptyRow,
      roles: [],
      appVersion: '1',
    }),
  );
  return State.from({ clusterId: 'A#1', epoch: names.length + 1, members, removed: [] });
}

export class Cluster {
  readonly rules: Rules;
  readonly processes = new Map<NodeKey, Process>();
  /** Every two states that some node really merged. */
  readonly merged: (readonly [State, State])[] = [];
  fires = 0;
  #tokens = new Set<string>();
  #side: ReadonlySet<string> | null = null;

  constructor(up: readonly string[], rules: Rules = plainRules) {
    this.rules = rules;
    const state = stateOf(up);
    for (const { key } of state.members) {
      this.#start({ ...replicaOf(key, state), seen: Seen.all(state) }, new Set(), null);
    }
  }

  #start(replica: Replica, removed: ReadonlySet<NodeKey>, acceptor: NodeKey | null): void {
    this.processes.set(replica.self, { replica, removed, isRunning: true, acceptor });
  }

  replica(name: string): Replica {
    const found = this.processes.get(keyOf(name));
    if (!found) throw new Error(`${name} was never started`);
    return found.replica;
  }

  /** Running, and with a say or waiting for its removal. */
  get running(): readonly Process[] {
    return [...this.processes.values()].filter(
      ({ isRunning, replica }) =>
        isRunning && replica.phase !== 'stopped' && replica.phase !== 'introducing',
    );
  }

  #awake(key: NodeKey): Process | undefined {
    const found = this.processes.get(key);
    return found?.isRunning && found.replica.phase !== 'stopped' ? found : undefined;
  }

  /**
   * Takes the next replica of a process, checks what PROTOCOL "Invariants" asks, and stops it where
   * S1 says so.
   */
  #move(process: Process, next: Replica, removed: ReadonlySet<NodeKey> = process.removed): boolean {
    if (next === process.replica) return false;
    assertInvariants(process.replica, next);
    const status = next.state.get(next.self)?.status;
    const isGone = status === undefined || status === 'Down';
    process.replica = isGone ? { ...next, phase: 'stopped' } : next;
    process.removed = new Set([...process.removed, ...removed, ...next.state.removed]);
    return true;
  }

  #canReach(a: NodeKey, b: NodeKey): boolean {
    const side = this.#side;
    return side === null || side.has(a) === side.has(b);
  }

  split(names: readonly string[]): boolean {
    this.#side = new Set(names.map(keyOf));
    return true;
  }

  heal(): boolean {
    this.#side = null;
    return true;
  }

  crash(name: string): boolean {
    const process = this.#awake(keyOf(name));
    if (process) process.isRunning = false;
    return process !== undefined;
  }

  snapshot(name: string): Snapshot | undefined {
    const process = this.#awake(keyOf(name));
    if (!process) return undefined;
    const { replica, removed } = process;
    return { from: replica.self, state: replica.state, seen: replica.seen, removed };
  }

  /** A running process tells another what it holds, if the rules let it. */
  gossip(from: string, to: string): boolean {
    const sender = this.#awake(keyOf(from));
    const target = keyOf(to);
    const snapshot = this.snapshot(from);
    if (!sender || !snapshot || !this.#canReach(keyOf(from), target)) return false;
    const status = snapshot.state.get(target)?.status;
    if (status === undefined || !isLive(status)) return false;
    if (sender.replica.phase === 'introducing' && sender.acceptor !== target) return false;
    return this.deliver(snapshot, to);
  }

  /** A message arrives, now or long after it was sent. */
  deliver(message: Snapshot, to: string): boolean {
    const process = this.#awake(keyOf(to));
    if (!process || message.from === keyOf(to)) return false;
    const { replica } = process;
    const { from, state, seen, removed } = message;
    const judgement = judge(replica, from, state, state.epoch);
    if (judgement === 'merge') {
      this.merged.push([replica.state, state]);
      return this.#move(process, receive(replica, state, seen), removed);
    }
    if (judgement !== 'unknown' || !this.#tokens.has(`${from} ${keyOf(to)}`)) return false;
    const introduction = judgeIntroduction(replica, from, state);
    if (introduction === 'welcome') return this.#welcome(process, from);
    if (introduction === 'refuse') return false;
    this.#tokens.delete(`${from} ${keyOf(to)}`);
    this.merged.push([replica.state, state]);
    return this.#move(process, receive(replica, state, seen), removed);
  }

  /**
   * The acceptor answers a request to join. A run asks once: another attempt is another uid (X12).
   */
  welcome(acceptor: string, newcomer: string): boolean {
    const process = this.#awake(keyOf(acceptor));
    if (!process || this.processes.has(keyOf(newcomer))) return false;
    return this.#welcome(process, keyOf(newcomer));
  }

  /**
   * With the newcomer's token still unused, its acceptor may welcome it again, to a higher epoch.
   */
  #welcome(acceptor: Process, newcomer: NodeKey): boolean {
    const { replica, removed } = acceptor;
    const known = this.processes.get(newcomer)?.replica;
    if (!mayIntroduce(replica, newcomer)) return false;
    if (known && known.phase !== 'introducing') return false;
    if (known && known.state.epoch >= replica.state.epoch) return false;
    this.#tokens.add(`${newcomer} ${replica.self}`);
    const fresh = introduce(replica.state, { key: newcomer, roles: [], appVersion: '1' });
    assertInvariants(null, fresh);
    this.#start(fresh, removed, replica.self);
    return true;
  }

  /**
   * A request to join: an older run of the address is marked Down first, and the newcomer told to
   * retry.
   */
  join(newcomer: string, acceptor: string): boolean {
    const process = this.#awake(keyOf(acceptor));
    if (!process) return false;
    const holders = holdersOf(process.replica.state, newcomer[0] ?? '');
    const old = holders.find((key) => isLive(process.replica.state.get(key)?.status ?? 'Down'));
    if (old) return this.#move(process, markDown(process.replica, old));
    return holders.length === 0 && this.welcome(acceptor, newcomer);
  }

  /** Fires, if this process observes convergence. */
  fire(name: string): boolean {
    const process = this.#awake(keyOf(name));
    if (!process) return false;
    const { replica, fired } = settle(process.replica, this.rules);
    let at = process.replica.state;
    for (const state of fired) {
      checkFire(at, this.running);
      if (f(at, this.rules) !== state) throw new Error('a fire is f of the state before');
      at = state;
    }
    this.fires += fired.length;
    const removed = new Set(fired.flatMap((state) => [...state.removed]));
    this.#move(process, replica, removed);
    return fired.length > 0;
  }

  change(name: string, make: (r: Replica) => Replica): boolean {
    const process = this.#awake(keyOf(name));
    return process !== undefined && this.#move(process, make(process.replica));
  }

  down = (by: string, subject: string) => this.change(by, (r) => markDown(r, keyOf(subject)));
  leave = (by: string, subject: string) => this.change(by, (r) => beginLeave(r, keyOf(subject)));
  exit = (name: string) => this.change(name, declareExited);

  accuse(by: string, subject: string, holds = true): boolean {
    return this.change(by, (r) => {
      const row = r.state.get(r.self)?.row ?? emptyRow;
      const others = row.unreachable.filter((key) => key !== keyOf(subject));
      return setRow(r, { ...row, unreachable: holds ? [...others, keyOf(subject)] : others });
    });
  }

  /** Says, or takes back, that its own senses are not to be trusted. */
  flag(by: string, unwell: boolean, cutOff: boolean): boolean {
    return this.change(by, (r) => {
      const row = r.state.get(r.self)?.row ?? emptyRow;
      return setRow(r, { ...row, unwell, cutOff });
    });
  }

  weaklyUp = (by: string) => this.change(by, (r) => setWeaklyUp(r, this.rules));

  /** Acts on the decision; true if that did anything. */
  decide(name: string): boolean {
    const process = this.#awake(keyOf(name));
    if (!process) return false;
    const answer = downing(process.replica, this.rules);
    if (answer.kind === 'down') return this.#move(process, answer.replica);
    if (answer.kind === 'stop') process.isRunning = false;
    return answer.kind === 'stop';
  }

  /** A NotMember notice, if the sender has reason to send one; true if it ends the receiver. */
  notice(from: string, to: string): boolean {
    const sender = this.#awake(keyOf(from))?.replica;
    const process = this.#awake(keyOf(to));
    if (sender?.phase !== 'member' || !process || !this.#canReach(keyOf(from), keyOf(to))) {
      return false;
    }
    const status = sender.state.get(keyOf(to))?.status;
    if (status !== undefined && status !== 'Down') return false;
    const removed = status === 'Down' || sender.state.wasRemoved(keyOf(to));
    const heeds = heedsNotice(process.replica, keyOf(from), removed, sender.state.epoch);
    if (heeds) process.isRunning = false;
    return heeds;
  }

  /** Everything PROTOCOL "Invariants" says about all of them together. */
  check(): void {
    checkAll(this.running);
  }
}
