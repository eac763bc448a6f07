/**
 * Runs a trace in the notation of PROTOCOL "Counterexamples" against a `Cluster`, and checks the
 * whole cluster after each step. A step that begins with `!` must be refused by the rules that
 * ship: it is the one by which the weaker rules broke. Every other step must happen, except one
 * that begins with `~`, which may.
 */
import type { Cluster, Snapshot } from './cluster.testing.js';

type Verb = (cluster: Cluster, a: string, b: string) => boolean;

const verbs: readonly (readonly [RegExp, Verb])[] = [
  [/^(\w+)->(\w+)$/, (c, a, b) => c.gossip(a, b)],
  [/^welcome (\w+)->(\w+)$/, (c, a, b) => c.welcome(a, b)],
  [/^join (\w+)->(\w+)$/, (c, a, b) => c.join(a, b)],
  [/^Down (\w+)->(\w+)$/, (c, a, b) => c.down(a, b)],
  [/^leave (\w+)->(\w+)$/, (c, a, b) => c.leave(a, b)],
  [/^(?:quit|Exited) (\w+)$/, (c, a) => c.exit(a)],
  [/^crash (\w+)$/, (c, a) => c.crash(a)],
  [/^accuse (\w+)->(\w+)$/, (c, a, b) => c.accuse(a, b)],
  [/^unaccuse (\w+)->(\w+)$/, (c, a, b) => c.accuse(a, b, false)],
  [/^decide@(\w+)$/, (c, a) => c.decide(a)],
  [/^notice (\w+)->(\w+)$/, (c, a, b) => c.notice(a, b)],
  [/^f@(\w+)$/, (c, a) => c.fire(a)],
  [/^SPLIT \{(.*)\}$/, (c, names) => c.split(names.split(','))],
  [/^HEAL$/, (c) => c.heal()],
];

export function run(cluster: Cluster, trace: string): Cluster {
  const kept = new Map<string, Snapshot>();
  for (const text of trace.split(';').map((step) => step.trim())) {
    const must = text[0] === '!' ? false : text[0] === '~' ? null : true;
    const step = must === true ? text : text.slice(1);
    const happened = perform(cluster, step, kept);
    if (must !== null && happened !== must) {
      throw new Error(`${step}: ${must ? 'was refused' : 'was allowed'} in "${trace}"`);
    }
    cluster.check();
  }
  return cluster;
}

function perform(cluster: Cluster, step: string, kept: Map<string, Snapshot>): boolean {
  const keep = /^keep-snapshot (\w+)$/.exec(step)?.[1];
  if (keep) {
    const snapshot = cluster.snapshot(keep);
    if (snapshot) kept.set(keep, snapshot);
    return snapshot !== undefined;
  }
  const [, from, to] = /^stale from (\w+) to (\w+)$/.exec(step) ?? [];
  if (from && to) {
    const snapshot = kept.get(from);
    if (!snapshot) throw new Error(`no snapshot of ${from} was kept`);
    return cluster.deliver(snapshot, to);
  }
  for (const [pattern, verb] of verbs) {
    const match = pattern.exec(step);
    if (match) return verb(cluster, match[1] ?? '', match[2] ?? '');
  }
  throw new Error(`no such step: ${step}`);
}
