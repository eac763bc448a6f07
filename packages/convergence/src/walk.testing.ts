/**
 * A cluster moved by chance: any running node gossips, fires, leaves, quits, is marked Down by
 * anybody at any time, and old messages come back as often as they like. What remains is a cluster
 * whose history really could have happened, for laws to be tried on.
 */
import { Cluster, type Snapshot } from './cluster.testing.js';
import { configurationId, type Digest, holdLease, type NodeKey, type Rules } from './index.js';
import { configurations } from './quorum.js';

/**
 * A number from 0 to `below` - 1; tests pass a seeded generator or a list that fast-check shrinks.
 */
export type Draw = (below: number) => number;

/** mulberry32. */
export function seeded(seed: number): Draw {
  let at = seed | 0;
  return (below) => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Draws from a list, then nothing but 0. */
export function listed(numbers: readonly number[]): Draw {
  let at = 0;
  return (below) => {
    const number = numbers[at] ?? 0;
    at += 1;
    return number % below;
  };
}

export interface Walk {
  readonly up: readonly string[];
  /** Who may come, among them later runs of addresses that are up. */
  readonly joining: readonly string[];
  readonly steps: number;
  readonly rules: Rules;
  readonly downs: number;
  readonly leaves: number;
  readonly quits: number;
  readonly crashes: number;
  readonly rows: boolean;
}

export function walk(plan: Walk, draw: Draw): Cluster {
  const cluster = new Cluster(plan.up, plan.rules);
  const names = [...plan.up, ...plan.joining];
  const kept: Snapshot[] = [];
  const granted = new Map<Digest, NodeKey>();
  const left = { downs: plan.downs, leaves: plan.leaves, quits: plan.quits, crashes: plan.crashes };
  const one = () => names[draw(names.length)] as string;
  const spend = (budget: keyof typeof left, act: () => boolean): void => {
    if (left[budget] > 0 && act()) left[budget] -= 1;
  };
  for (let step = 0; step < plan.steps; step += 1) {
    const choice = draw(200);
    const [a, b] = [one(), one()];
    if (choice < 110) cluster.gossip(a, b);
    else if (choice < 150) cluster.fire(a);
    else if (choice < 160) keep(cluster, a, kept, draw);
    else if (choice < 172) replay(cluster, b, kept, draw);
    else if (choice < 186) cluster.join(plan.joining[draw(plan.joining.length || 1)] ?? a, b);
    else if (choice < 190) spend('downs', () => cluster.down(a, b));
    else if (choice < 192) spend('leaves', () => cluster.leave(a, b));
    else if (choice < 193) spend('quits', () => cluster.exit(a));
    else if (choice < 194) spend('crashes', () => cluster.crash(a));
    else if (choice < 196) exitIfExiting(cluster, a);
    else if (choice < 197) cluster.notice(a, b);
    else if (plan.rules.strategy === 'lease-majority' && choice < 199)
      askLease(cluster, a, granted);
    else if (plan.rows) observe(cluster, a, b, draw);
    cluster.check();
  }
  return cluster;
}

function keep(cluster: Cluster, name: string, kept: Snapshot[], draw: Draw): void {
  const snapshot = cluster.snapshot(name);
  if (snapshot) kept[kept.length < 3 ? kept.length : draw(3)] = snapshot;
}

function replay(cluster: Cluster, to: string, kept: readonly Snapshot[], draw: Draw): void {
  const snapshot = kept[draw(3)];
  if (snapshot) cluster.deliver(snapshot, to);
}

/** A voter asks for every tie there could be, whether it is one or not: the first to ask has it. */
function askLease(cluster: Cluster, name: string, granted: Map<Digest, NodeKey>): void {
  cluster.change(name, (r) =>
    configurations(r.state, cluster.rules)
      .filter((voters) => voters.some(({ key }) => key === r.self))
      .map(configurationId)
      .reduce((held, id) => {
        if (!granted.has(id)) granted.set(id, r.self);
        return granted.get(id) === r.self ? holdLease(held, id, cluster.rules) : held;
      }, r),
  );
}

function exitIfExiting(cluster: Cluster, name: string): void {
  const replica = cluster.snapshot(name);
  if (replica?.state.get(replica.from)?.status === 'Exiting') cluster.exit(name);
}

function observe(cluster: Cluster, by: string, subject: string, draw: Draw): void {
  const choice = draw(6);
  if (choice < 4) cluster.accuse(by, subject, choice === 0);
  else if (choice === 4) cluster.flag(by, draw(2) === 0, draw(2) === 0);
  else cluster.weaklyUp(by);
}
