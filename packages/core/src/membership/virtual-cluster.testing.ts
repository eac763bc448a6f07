/**
 * A few machines on an in-memory network under virtual time: ordered links, a millisecond each way,
 * every frame through the real codec. A test may drop, double or delay any message, cut links, kill,
 * pause. Every node is checked as it goes: its events, replayed, must give the states it publishes.
 */
import { addressOf, type NodeKey } from '@rollcall/convergence';
import { expect } from 'vitest';
import { checkHello } from './hello.js';
import type { Message } from './message.js';
import type { NodeOptions } from './node.js';
import { readSettings } from './settings.js';
import { LATENCY_MS, type Network, VirtualNode } from './virtual-node.testing.js';

interface Packet {
  readonly from: string;
  readonly to: string;
  readonly message: Message;
  /** Beside the links. */
  readonly isCast: boolean;
}
type Verdict = 'pass' | 'drop' | 'double' | { readonly delayMs: number };
/** The first rule with an opinion decides. */
type Rule = (packet: Packet) => Verdict;

export type Given = Partial<Pick<NodeOptions, 'name' | 'seeds' | 'roles' | 'appVersion'>> & {
  readonly settings?: Record<string, unknown>;
  /** Another name for the same address: a process started where one runs, or ran. */
  readonly at?: string;
};

interface Happening {
  readonly atMs: number;
  readonly run: () => void;
  isOff: boolean;
}

const REDIAL_MS = 100;

export class VirtualCluster implements Network {
  nowMs = 1_000;
  readonly rules = new Set<Rule>();
  readonly nodes: VirtualNode[] = [];
  /** The lease: what it has granted, how it treats whom, and how long an answer takes. */
  readonly granted = new Map<string, NodeKey>();
  leaseOf: (from: VirtualNode) => 'answering' | 'refusing' | 'forgetful' | 'silent' = () =>
    'answering';
  leaseMs = 2 * LATENCY_MS;
  readonly #settings: Record<string, unknown>;
  /** In order of time; ties in the order in which they were planned. */
  readonly #plan: Happening[] = [];
  readonly #cuts = new Set<string>();
  #uids = 0;

  /** `settings` are what every node gets unless it is given its own. */
  constructor(settings: Record<string, unknown> = {}) {
    this.#settings = settings;
  }

  /** Starts a node at `ws://<name>:7000`; the first name started is everybody's seed. */
  start(name: string, given: Given = {}): VirtualNode {
    const settings = readSettings({ ...this.#settings, ...given.settings });
    const address = `ws://${given.at ?? name}:7000`;
    const seeds = given.seeds ?? [this.nodes[0]?.address ?? address];
    const { name: cluster = 'test', roles = [], appVersion = '1' } = given;
    const options = { name: cluster, address, seeds, roles, appVersion, settings };
    const node = new VirtualNode(name, options, this, this.#random(this.nodes.length + 1));
    this.nodes.push(node);
    node.begin();
    return node;
  }

  /** Started together, and run until all of them are up at all of them and have settled. */
  formed(names: string, given: Given = {}): VirtualNode[] {
    const nodes = [...names].map((name) => this.start(name, given));
    this.until(() => this.isSettled(nodes), 20_000);
    return nodes;
  }

  /** All of these are up at each of them, by one digest, and nothing is under way. */
  isSettled(nodes: readonly VirtualNode[]): boolean {
    const [first] = nodes;
    return nodes.every(
      ({ state }) =>
        state.convergence &&
        state.digest === first?.state.digest &&
        state.members.length === nodes.length &&
        state.members.every((member) => member.status === 'up'),
    );
  }

  run(ms: number): void {
    const endMs = this.nowMs + ms;
    while ((this.#plan[0]?.atMs ?? Number.POSITIVE_INFINITY) <= endMs) this.#next();
    this.nowMs = endMs;
  }

  /** Runs until it is so; fails if that takes longer. Returns how long it took. */
  until(isSo: () => boolean, withinMs: number): number {
    const startMs = this.nowMs;
    while (!isSo()) {
      const dueMs = this.#plan[0]?.atMs ?? Number.POSITIVE_INFINITY;
      expect(dueMs - startMs, `waiting for ${isSo}`).toBeLessThanOrEqual(withinMs);
      this.#next();
    }
    return this.nowMs - startMs;
  }

  #next(): void {
    const happening = this.#plan.shift();
    if (happening === undefined) return;
    this.nowMs = happening.atMs;
    if (!happening.isOff) happening.run();
  }

  /** Plans a call; the returned function takes it back. */
  later(afterMs: number, run: () => void): () => void {
    const happening: Happening = { atMs: this.nowMs + afterMs, run, isOff: false };
    let at = 0;
    for (let end = this.#plan.length; at < end; ) {
      const middle = (at + end) >>> 1;
      if ((this.#plan[middle]?.atMs ?? 0) > happening.atMs) end = middle;
      else at = middle + 1;
    }
    this.#plan.splice(at, 0, happening);
    return () => {
      happening.isOff = true;
    };
  }

  /** Nothing passes from one to the other any more; links stay open, as they do in a partition. */
  cut(from: VirtualNode, to: VirtualNode): void {
    this.#cuts.add(`${from.name}>${to.name}`);
  }

  /** Cuts both ways between every node of one side and every one of the other. */
  split(one: readonly VirtualNode[], other: readonly VirtualNode[]): void {
    for (const a of one)
      for (const b of other) {
        this.cut(a, b);
        this.cut(b, a);
      }
  }

  heal(): void {
    this.#cuts.clear();
  }

  isCut(from: VirtualNode, to: VirtualNode): boolean {
    return this.#cuts.has(`${from.name}>${to.name}`);
  }

  /** While the rule stands, what it says happens to packets. The returned function takes it back. */
  rule(rule: Rule): () => void {
    this.rules.add(rule);
    return () => this.rules.delete(rule);
  }

  // What nodes ask of the network.

  carry(...[from, to, message, arrive, isCast = false]: Parameters<Network['carry']>): void {
    if (this.isCut(from, to)) return;
    const packet = { from: from.name, to: to.name, message, isCast };
    const verdict = [...this.rules].map((rule) => rule(packet)).find((said) => said !== 'pass');
    if (verdict === 'drop') return;
    const delayMs = typeof verdict === 'object' ? verdict.delayMs : LATENCY_MS;
    this.later(delayMs, arrive);
    if (verdict === 'double') this.later(delayMs, arrive);
  }

  /** Grants on the way there; the answer may be lost on the way back. */
  askLease(...[from, matter, owner, answer]: Parameters<Network['askLease']>): void {
    const conduct = this.leaseOf(from);
    if (conduct === 'silent') return;
    if (conduct !== 'refusing' && !this.granted.has(matter)) this.granted.set(matter, owner);
    const holder = conduct === 'answering' ? this.granted.get(matter) : undefined;
    this.later(this.leaseMs, () => answer(holder));
  }

  /** Dials until somebody answers or the address is wanted no longer. */
  dial(from: VirtualNode, address: string): void {
    const { uid } = from;
    const isWanted = () => from.isRunning && from.uid === uid && from.wanted.has(address);
    this.later(2 * LATENCY_MS, () => {
      if (!isWanted() || from.isLinkedTo(address)) return;
      const to = this.at(address);
      const answers = to !== undefined && !this.isCut(from, to) && !this.isCut(to, from);
      const refusal = answers ? checkHello(from.hello, to.hello) : undefined;
      if (answers && refusal === undefined) return from.connect(to, address);
      const reason = refusal?.message ?? `${address} does not answer`;
      from.take({ kind: 'dialFailed', address, reason, refusal });
      if (refusal === undefined)
        this.later(REDIAL_MS, () => isWanted() && this.dial(from, address));
    });
  }

  /** Who answers there: the process that bound the address first, if it runs. */
  at(address: string): VirtualNode | undefined {
    return this.nodes.find((node) => node.isRunning && node.address === address);
  }

  /** Seeded, so that every run of a test is the same run. */
  #random(seed: number) {
    let state = seed * 2_654_435_761;
    return {
      next: () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 32;
      },
      uid: () => (++this.#uids).toString(16).padStart(16, '0'),
    };
  }
}

/** The node's members as `name status`, in order: what a person would write on a board. */
export const board = ({ state }: VirtualNode): string =>
  state.members
    .map(({ node, status, reachability }) => {
      const name = addressOf(node).slice(5, -5);
      return reachability === 'reachable'
        ? `${name} ${status}`
        : `${name} ${status} ${reachability}`;
    })
    .join(', ');
