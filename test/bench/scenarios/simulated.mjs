/**
 * One simulated life per size: all join at once, a steady while, one leaves, one crashes, ten crash.
 * Virtual times are exact and the same in every run of a seed; only CPU and memory vary.
 */
import { freemem } from 'node:os';
import { crashFigure, tripMs } from '../crash-figure.mjs';
import { cpuSeconds, heldBytes } from '../measure.mjs';
import { figure, notHere } from '../report.mjs';
import { SimulatedCluster } from '../simulated-cluster.mjs';
import { connectionFigures, trafficFigures } from '../traffic.mjs';
import { bareQueue } from './bare-queue.mjs';

const RINGS = 5;
const BATCH_WINDOW_MS = 5;
const ONE_WAY_MS = 1;
const STABLE_AFTER_MS = 20_000;
/** Ten of fewer may be too many to survive; the largest size is left to those who ask for it. */
const CRASHES_MIN = 50;
const CRASHES_MAX = 300;
/** Links that were only needed to join are closed after `limits.idleLink`, 15 s. */
const SETTLE_MS = 20_000;
const STEADY_MS = 30_000;

/** Every node remembers states of all members, which is what fills the memory while all join. */
const NODE_PAIR_BYTES = 6_000;

const tooLarge = (n) =>
  `it takes about ${Math.ceil((NODE_PAIR_BYTES * n * n) / 1e9)} GB, ${Math.floor(freemem() / 1e9)} GB are free; nor is any other row of this size`;

export async function simulated(context) {
  const seen = [];
  for (const n of context.sizes) {
    if (NODE_PAIR_BYTES * n * n < freemem()) seen.push(await oneLife(n, context));
    else context.show(notHere('join', `simulated, n = ${n}`, tooLarge(n)));
  }
  if (seen.length === 0) return;
  for (const show of [joinFigures, trafficFigures, connectionFigures]) {
    for (const figure of show(seen)) context.show(figure);
  }
  const largest = seen.at(-1);
  if (largest.eventsPerSecond !== undefined) {
    for (const figure of await simulatorFigures(largest)) context.show(figure);
  }
}

async function oneLife(n, context) {
  const { step, wants } = context;
  const beforeBytes = heldBytes();
  step(`simulated, n = ${n}: all join at once`);
  const cluster = new SimulatedCluster(n);
  const life = { where: 'simulated', n, rings: RINGS };
  let joinMs;
  const joinSeconds = await cpuSeconds(async () => {
    joinMs = await cluster.form();
  });
  Object.assign(life, { joinMs, joinSeconds, joinEvents: cluster.sim.events });
  Object.assign(life, { sizesUp: cluster.sizesUp.size, sizesListed: cluster.sizesListed.size });
  step(
    `simulated, n = ${n}: all Up after ${joinMs.toFixed(0)} virtual ms, ${joinSeconds.toFixed(1)} s of CPU`,
  );
  if (wants('messages', 'bytes', 'connections', 'simulator')) {
    await cluster.sim.run(SETTLE_MS);
    Object.assign(life, await steady(cluster));
    life.nodeBytes = (heldBytes() - beforeBytes) / n;
  }
  if (wants('change', 'leave')) await leave(cluster, context);
  if (wants('crash')) await crash(cluster, context);
  if (wants('crashes') && n >= CRASHES_MIN) {
    if (n <= CRASHES_MAX || context.only.includes('crashes')) await crashes(cluster, context);
    else
      context.show(
        notHere('crashes', `simulated, 10 of ${n}`, 'takes long; ask for it with --only'),
      );
  }
  return life;
}

async function steady(cluster) {
  const { sim } = cluster;
  const before = [cluster.total('framesSent'), cluster.total('bytesSent'), sim.events];
  const seconds = await cpuSeconds(() => sim.run(STEADY_MS));
  const perNodeSecond = (sim.running.length * STEADY_MS) / 1_000;
  const connections = sim.running.map(({ counters }) => counters.connections);
  return {
    messages: (cluster.total('framesSent') - before[0]) / perNodeSecond,
    bytes: (cluster.total('bytesSent') - before[1]) / perNodeSecond,
    eventsPerSecond: (sim.events - before[2]) / seconds,
    connections,
  };
}

function joinFigures(lives) {
  return lives.flatMap(({ n, joinMs, sizesUp, sizesListed }) => {
    const first = lives[0];
    const growth = Math.log(n) / Math.log(first.n);
    const peer = n === first.n ? {} : { against: `n = ${first.n}`, other: first.joinMs };
    return [
      figure('join', `simulated, n = ${n}`, {
        value: joinMs,
        unit: 'ms',
        ...peer,
        reach: n === 1_000 ? '≤ 3,000 ms' : undefined,
        isMet: n === 1_000 ? joinMs <= 3_000 : undefined,
        note: n === first.n ? undefined : `log n has grown ${growth.toFixed(1)} times`,
      }),
      figure('sizes', `simulated, n = ${n}, members Up`, {
        value: sizesUp,
        against: 'sizes there are',
        other: n,
        reach: '≤ 10',
        isMet: sizesUp <= 10,
        note: `members listed, joining ones too: ${sizesListed} sizes`,
      }),
    ];
  });
}

/** Frames must cross so many links at most, and wait for one batch at each. */
function spreadBoundMs(n) {
  const hops = Math.ceil(Math.log(n) / Math.log(2 * RINGS - 1)) + 1;
  return 2 * Math.log2(n) * ONE_WAY_MS + hops * BATCH_WINDOW_MS;
}

async function leave(cluster, { step, show }) {
  const { sim, names } = cluster;
  const n = names.length;
  step(`simulated, n = ${n}: one leaves`);
  await cluster.agreed();
  const name = names.at(-1);
  const { node } = sim.node(name).cluster.self;
  const { epoch } = sim.node(name).state;
  const memberIn = ({ members }) => members.find((member) => member.node === node);
  cluster.forget([name]);
  const startMs = sim.nowMs;
  sim.leave(name);
  const known = await cluster.until((state) => memberIn(state)?.status !== 'up');
  await cluster.until((state) => state.epoch > epoch);
  const converged = sim.nowMs - startMs;
  await cluster.until((state) => memberIn(state) === undefined);
  const boundMs = spreadBoundMs(n);
  const spread = (what, value, bound) =>
    figure('change', `simulated, n = ${n}, ${what}`, {
      value,
      unit: 'ms',
      against: '2 log2 n one way + batching',
      other: bound,
      reach: '≤ 1',
      isMet: value <= bound,
    });
  show(spread('known everywhere', known, boundMs));
  show(spread('convergence everywhere', converged, 2 * boundMs));
  const goneMs = sim.nowMs - startMs;
  show(
    figure('leave', `simulated, n = ${n}`, {
      value: goneMs,
      unit: 'ms',
      reach: '< 1,000 ms',
      isMet: goneMs < 1_000,
    }),
  );
}

async function crash(cluster, { step, show, wants }) {
  const { sim, names } = cluster;
  const n = names.length;
  step(`simulated, n = ${n}: one crashes`);
  await sim.run(SETTLE_MS);
  const name = names.at(-2);
  const { node } = sim.node(name).cluster.self;
  const memberIn = ({ members }) => members.find((member) => member.node === node);
  cluster.forget([name]);
  sim.crash(name);
  const value = await cluster.until((state) => memberIn(state)?.reachability === 'unreachable');
  show(crashFigure(`simulated, n = ${n}`, value));
  if (wants('crashes')) await cluster.until((state) => memberIn(state) === undefined);
}

async function crashes(cluster, { step, show }) {
  const { sim } = cluster;
  const { running } = sim;
  const n = running.length;
  step(`simulated, n = ${n}: ten crash at once`);
  await sim.run(SETTLE_MS);
  const stride = Math.floor(n / 10);
  const crashed = Array.from({ length: 10 }, (_, i) => running[i * stride + 1].name);
  const keys = new Set(crashed.map((name) => sim.node(name).cluster.self.node));
  const { epoch } = running[0].state;
  cluster.forget(crashed);
  const startMs = sim.nowMs;
  for (const name of crashed) sim.crash(name);
  const isGone = ({ members }) =>
    members.length === n - 10 && !members.some((m) => keys.has(m.node));
  await cluster.until(isGone);
  const ms = sim.nowMs - startMs;
  await cluster.agreed();
  const changes = running[0].state.epoch - epoch;
  const expected = tripMs() + STABLE_AFTER_MS;
  show(
    figure('crashes', `simulated, 10 of ${n}, agreed changes`, {
      value: changes,
      against: 'crashed',
      other: 10,
      reach: '1',
      isMet: changes === 1,
    }),
  );
  show(
    figure('crashes', `simulated, 10 of ${n}, until gone everywhere`, {
      value: ms,
      unit: 'ms',
      against: 'trip time + stableAfter',
      other: expected,
    }),
  );
}

async function simulatorFigures({ n, eventsPerSecond, joinEvents, joinSeconds, nodeBytes }) {
  const bare = await bareQueue(n);
  const speed = { unit: '/s of CPU', against: 'the event queue alone', other: bare };
  return [
    figure('simulator', `steady, n = ${n}, events`, {
      value: eventsPerSecond,
      ...speed,
      reach: '≥ 300,000',
      isMet: eventsPerSecond >= 300_000,
    }),
    figure('simulator', `joining at once, n = ${n}, events`, {
      value: joinEvents / joinSeconds,
      ...speed,
    }),
    figure('simulator', `n = ${n}, memory per node`, {
      value: nodeBytes / 1_024,
      unit: 'KB',
      reach: '≤ 400 KB',
      isMet: nodeBytes <= 400 * 1_024,
    }),
  ];
}
