/**
 * Safety, looked at from outside: what each node shows in its states and events, against the
 * invariants of the protocol. It never asks a node how it came to its view.
 *
 *   I1   at one node a status never goes back, an age never changes, the epoch never goes down
 *   I2   a member that a node has removed never comes back there
 *   I4   two nodes that hold each other live give no member two ages
 *   I6a  no two running nodes have removed each other
 *   E1   a node tells of each removal exactly once
 *   E2   events replayed over the first state give the last one
 *   E3   equal digests, equal members
 *   bug  a node met a bug of its own
 */
import type {
  ClusterEvent,
  ClusterState,
  Ending,
  Member,
  MemberStatus,
  NodeKey,
} from '@rollcall/core';
import type { NodeRun } from './node-run.js';

export interface Violation {
  readonly rule: 'I1' | 'I2' | 'I4' | 'I6a' | 'E1' | 'E2' | 'E3' | 'bug';
  /** The node at which it shows. */
  readonly node: string;
  /** One sentence with the values that contradict each other. */
  readonly text: string;
}

/** `exiting` once more after `down` is a member's own last word. */
const RANK: Readonly<Record<MemberStatus, number>> = {
  joining: 1,
  weaklyUp: 2,
  up: 3,
  leaving: 4,
  exiting: 5,
  down: 6,
  removed: 8,
};
const LAST_WORD = 7;

/** Pairs of different views that are compared member by member at most; beyond it, neighbours in the list only. */
const PAIRS_MAX = 256;

/** What is remembered about one run. */
interface Memory {
  state: ClusterState | undefined;
  /** The first state, with every event since put over it. */
  readonly replayed: Map<NodeKey, Member>;
  readonly ranks: Map<NodeKey, number>;
  readonly ages: Map<NodeKey, number>;
  readonly removed: Set<NodeKey>;
  /** Its run is over, by its own word. */
  isOut: boolean;
}

export class Checker {
  readonly #memories = new Map<NodeRun, Memory>();
  readonly #runOf = new Map<NodeKey, NodeRun>();
  readonly #violated: (violation: Violation) => void;

  constructor(violated: (violation: Violation) => void) {
    this.#violated = violated;
  }

  /** A node shows a new state. */
  state(run: NodeRun, state: ClusterState): void {
    const memory = this.#memoryOf(run);
    const before = memory.state;
    memory.state = state;
    this.#runOf.set(state.self, run);
    if (before === undefined) {
      for (const member of state.members) {
        memory.replayed.set(member.node, member);
        this.#member(run, memory, member);
      }
    } else if (isSameLife(before, state) && state.epoch < before.epoch) {
      this.#violated({
        rule: 'I1',
        node: run.name,
        text: `the epoch went from ${before.epoch} back to ${state.epoch}`,
      });
    }
    this.#matches(run, memory, state);
  }

  /** A node tells of a change. */
  event(run: NodeRun, event: ClusterEvent): void {
    const memory = this.#memoryOf(run);
    const isElsewhere = this.#beginsAnew(memory, event.state);
    if (event.type === 'selfRemoved') memory.isOut = true;
    if (!('member' in event)) return;
    const { member } = event;
    if (event.type !== 'memberRemoved') {
      memory.replayed.set(member.node, member);
      this.#member(run, memory, member);
      return;
    }
    memory.replayed.delete(member.node);
    if (isElsewhere) return;
    if (memory.removed.has(member.node)) {
      this.#violated({
        rule: 'E1',
        node: run.name,
        text: `told twice that ${member.node} is removed`,
      });
    }
    memory.removed.add(member.node);
    // A node that is out of its cluster shows nobody any more; that is no removal of its own.
    const isRemoval = !memory.isOut && event.state.clusterId !== undefined;
    if (isRemoval) this.#nobodyRemovedBack(run, member.node, event);
  }

  /** A node stopped by itself. */
  ended(run: NodeRun, { reason, message }: Ending): void {
    if (reason === 'failed') this.#violated({ rule: 'bug', node: run.name, text: message });
  }

  /** Looks at all nodes side by side. */
  compare(runs: readonly NodeRun[]): void {
    const byDigest = new Map<string, NodeRun>();
    for (const run of runs) {
      const { state } = run;
      if (!run.isRunning || state === undefined || state.digest === '') continue;
      const same = byDigest.get(state.digest);
      if (same === undefined) byDigest.set(state.digest, run);
      else this.#showTheSame(run, state, same);
    }
    const different = [...byDigest.values()];
    const isSmall = different.length ** 2 <= PAIRS_MAX;
    different.forEach((one, i) => {
      for (const other of different.slice(i + 1, isSmall ? undefined : i + 2))
        this.#agree(one, other);
    });
  }

  /**
   * A joiner that starts over is another member. In another cluster everybody is new to it; in the same one it
   * may never have told others that it marked somebody down, and nothing else may go back.
   */
  #beginsAnew(memory: Memory, { self, clusterId }: ClusterState): boolean {
    if (memory.state === undefined || memory.state.self === self) return false;
    memory.ranks.clear();
    if (memory.state.clusterId === clusterId) return false;
    memory.ages.clear();
    memory.removed.clear();
    return true;
  }

  #memoryOf(run: NodeRun): Memory {
    let memory = this.#memories.get(run);
    if (memory === undefined) {
      memory = {
        state: undefined,
        replayed: new Map(),
        ranks: new Map(),
        ages: new Map(),
        removed: new Set(),
        isOut: false,
      };
      this.#memories.set(run, memory);
    }
    return memory;
  }

  #member(run: NodeRun, memory: Memory, { node, status, age }: Member): void {
    if (memory.removed.has(node)) {
      this.#violated({ rule: 'I2', node: run.name, text: `${node} was removed here and is back` });
    }
    const rank = memory.ranks.get(node) ?? 0;
    const isLastWord = rank >= RANK.down && status === 'exiting';
    const next = isLastWord ? LAST_WORD : RANK[status];
    memory.ranks.set(node, next);
    if (next < rank) {
      const text = `${node} went back to ${status} (from rank ${rank} to ${next})`;
      this.#violated({ rule: 'I1', node: run.name, text });
    }
    const known = memory.ages.get(node);
    if (age !== undefined) memory.ages.set(node, age);
    if (known !== undefined && known !== age) {
      this.#violated({ rule: 'I1', node: run.name, text: `${node} had age ${known}, now ${age}` });
    }
  }

  /** Compares a state with what the events made of the first one, and looks at what is new in it. */
  #matches(run: NodeRun, memory: Memory, state: ClusterState): void {
    const { replayed } = memory;
    for (const member of state.members) {
      const told = replayed.get(member.node);
      if (told === member) continue;
      this.#member(run, memory, member);
      if (told?.status !== member.status || told.reachability !== member.reachability) {
        const text = `events say ${member.node} is ${shown(told)}, the state says ${shown(member)}`;
        this.#violated({ rule: 'E2', node: run.name, text });
      }
    }
    if (replayed.size <= state.members.length) return;
    const held = new Set(state.members.map((member) => member.node));
    const surplus = [...replayed.keys()].filter((key) => !held.has(key));
    const text = `${surplus.join(', ')} went without a memberRemoved`;
    this.#violated({ rule: 'E2', node: run.name, text });
  }

  #nobodyRemovedBack(run: NodeRun, removed: NodeKey, event: ClusterEvent): void {
    const other = this.#runOf.get(removed);
    const mine = event.state.self;
    if (other === undefined || other === run || !other.isRunning || other.key !== removed) return;
    const theirs = this.#memories.get(other);
    if (theirs === undefined || theirs.isOut || !theirs.removed.has(mine)) return;
    const text = `${mine} and ${removed} both run and have removed each other`;
    this.#violated({ rule: 'I6a', node: run.name, text });
  }

  #showTheSame(run: NodeRun, state: ClusterState, same: NodeRun): void {
    const [mine, theirs] = [state.members, same.state?.members ?? []];
    const wrong = mine.find((member, i) => !isSame(member, theirs[i]));
    if (mine.length === theirs.length && wrong === undefined) return;
    const text = `same digest as ${same.name}, but other members (${wrong?.node ?? 'fewer'})`;
    this.#violated({ rule: 'E3', node: run.name, text });
  }

  #agree(one: NodeRun, other: NodeRun): void {
    const [mine, theirs] = [one.state, other.state];
    if (mine === undefined || theirs === undefined || mine.clusterId !== theirs.clusterId) return;
    if (!holdsLive(mine, theirs.self) || !holdsLive(theirs, mine.self)) return;
    const ages = new Map(theirs.members.map((member) => [member.node, member.age]));
    for (const { node, age } of mine.members) {
      const there = ages.get(node);
      if (age === undefined || there === undefined || age === there) continue;
      const text = `${node} has age ${age} here and ${there} at ${other.name}`;
      this.#violated({ rule: 'I4', node: one.name, text });
    }
  }
}

const isSameLife = (before: ClusterState, after: ClusterState): boolean =>
  before.clusterId === after.clusterId && before.self === after.self;

const shown = (member: Member | undefined): string =>
  member === undefined ? 'unknown' : `${member.status} and ${member.reachability}`;

/** `members.min` lets one node show as joining what another one shows as up already. */
const isSame = (a: Member, b: Member | undefined): boolean =>
  a.node === b?.node &&
  a.age === b.age &&
  (a.status === b.status || a.status === 'joining' || b.status === 'joining');

function holdsLive(state: ClusterState, key: NodeKey): boolean {
  const member = state.members.find((each) => each.node === key);
  return member !== undefined && RANK[member.status] < RANK.down;
}
