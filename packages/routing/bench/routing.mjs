/**
 * What it costs to choose a member, beside reading an array, and that a pick leaves nothing behind. It informs and does
 * not judge. Build first, then:
 *
 *     node --expose-gc --min-semi-space-size=64 packages/routing/bench/mjs
 *
 * The large young space keeps the heap from being swept inside a measured loop.
 */
import { fileURLToPath } from 'node:url';
import { BehaviorSubject, NEVER } from 'rxjs';
import {
  consistentHash,
  createRouter,
  HashRing,
  leastSuspected,
  random,
  rendezvous,
  roundRobin,
  weighted,
} from '../dist/index.js';

const PICKS = 1_000_000;
const KEYS = Array.from({ length: 1_024 }, (_, i) => `order-${i}`);

const memberOf = (i) => {
  const address = `ws://10.${i >> 8}.${i & 255}.1:7355`;
  const facts = { roles: [], appVersion: '1', status: 'up', age: 1, reachability: 'reachable' };
  return { node: `${address}#1`, address, uid: '1', ...facts, observedBy: [] };
};
const membersOf = (count) => Array.from({ length: count }, (_, i) => memberOf(i));

/** As much of a cluster as a router follows. */
function clusterOf(members) {
  const state = { self: members[0].node, members, epoch: 1, convergence: true };
  const heartbeat = { interval: 1_000 };
  const settings = {
    heartbeat,
    detector: { acceptablePause: 3_000 },
    messages: { linkTimeout: 5_000 },
  };
  return {
    state,
    state$: new BehaviorSubject(state),
    events$: NEVER,
    settings,
    clock: { nowMs: () => 0, schedule: () => () => {} },
    random: { next: () => 0.375, uid: () => '1' },
    phi: () => 0.5,
    avoid$: () => NEVER,
    health: { score: 0, degraded: new Set(), degraded$: NEVER, report: () => {} },
    guarded: (_, stream) => stream,
  };
}

/** Each loop stands alone, so that the compiler sees one call in it. */
const loopOf = (body) =>
  new Function(
    'subject',
    'keys',
    'picks',
    `let last; for (let i = 0; i < picks; i++) last = ${body}; return last;`,
  );
const loops = {
  index: () => loopOf('subject[i % subject.length]'),
  pick: () => loopOf('subject.pick()'),
  pickByKey: () => loopOf('subject.pick(keys[i & 1023])'),
  owner: () => loopOf('subject.indexOf(keys[i & 1023])'),
  map: () => loopOf('subject.get(keys[i & 1023])'),
};

/** Least time a call and least bytes a call of several runs: what others do on the machine only adds. */
export function costOf(loop, subject, runs, picks = PICKS) {
  loop(subject, KEYS, picks / 10);
  let [ns, bytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < runs; run++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const start = process.hrtime.bigint();
    loop(subject, KEYS, picks);
    ns = Math.min(ns, Number(process.hrtime.bigint() - start) / picks);
    bytes = Math.min(bytes, (process.memoryUsage().heapUsed - before) / picks);
  }
  return { ns, bytes };
}

const STRATEGIES = {
  roundRobin: () => roundRobin(),
  random: () => random(),
  leastSuspected: () => leastSuspected(),
  weighted: () => weighted(() => 1),
  rendezvous: () => rendezvous(),
  consistentHash: () => consistentHash(),
  'consistentHash, bounded': () => consistentHash({ boundedLoad: 1.25 }),
};

/** A pick by each strategy among so many members. */
export function pickCosts({ members: count, runs }) {
  const members = membersOf(count);
  const index = costOf(loops.index(), members, runs);
  return Object.entries(STRATEGIES).map(([name, make]) => {
    const strategy = make();
    const router = createRouter(clusterOf(members), { strategy });
    const loop = strategy.takesKey ? loops.pickByKey() : loops.pick();
    const cost = costOf(loop, router, runs);
    router.close();
    return { name, ...cost, indexNs: index.ns };
  });
}

/** The owner of a key among so many names, beside a map that holds the answers. */
export function lookUpCost({ members: count, runs }) {
  const ring = HashRing.of(membersOf(count).map(({ address }) => address));
  const answers = new Map(KEYS.map((key) => [key, ring.indexOf(key)]));
  const map = costOf(loops.map(), answers, runs);
  return { ...costOf(loops.owner(), ring, runs), mapNs: map.ns };
}

/** A ring of so many names with one more or one less, beside the same ring made anew. */
export function rebuildCost({ members: count, runs }) {
  const names = membersOf(count).map(({ address }) => address);
  const ring = HashRing.of(names.slice(1));
  const best = (work) => {
    let ms = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3 * runs; run++) {
      const start = process.hrtime.bigint();
      work();
      ms = Math.min(ms, Number(process.hrtime.bigint() - start) / 1e6);
    }
    return ms;
  };
  return { ms: best(() => ring.with(names)), anewMs: best(() => HashRing.of(names)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const say = (what, each) => console.log(what.padEnd(28), each);
  for (const { name, ns, bytes, indexNs } of pickCosts({ members: 10, runs: 7 }))
    say(
      `pick, ${name}`,
      `${ns.toFixed(1)} ns, ${(ns / indexNs).toFixed(1)} × an index, ${bytes.toFixed(2)} bytes`,
    );
  for (const members of [10, 1_000]) {
    const { ns, mapNs, bytes } = lookUpCost({ members, runs: 7 });
    say(
      `owner among ${members}`,
      `${ns.toFixed(1)} ns, ${(ns / mapNs).toFixed(1)} × a map, ${bytes.toFixed(2)} bytes`,
    );
  }
  const { ms, anewMs } = rebuildCost({ members: 1_000, runs: 7 });
  say(
    'one change among 1,000',
    `${ms.toFixed(2)} ms, ${(ms / anewMs).toFixed(2)} of making it anew`,
  );
}
