/**
 * One life of so many real processes on this machine: started together, idle for a while, one leaves, one is
 * killed. Times come from one clock that all processes of a machine share.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { crashFigure } from '../crash-figure.mjs';
import { median } from '../measure.mjs';
import { freePorts, MeasuredProcess } from '../processes/measured-process.mjs';
import { figure } from '../report.mjs';
import { connectionFigures, trafficFigures } from '../traffic.mjs';

const RINGS = 5;
const PEERS = 3;
/** Links that were only needed to join are closed after `limits.idleLink`, 15 s. */
const SETTLE_MS = 20_000;
const HELLOS = 10;
/** A machine that is too busy for so many processes may take minutes; after that it will not come to pass. */
const FORMING_MAX_MS = 300_000;

export async function processes(context) {
  const lives = [];
  for (const n of context.processes) lives.push(await oneLife(n, context));
  for (const show of [trafficFigures, connectionFigures]) {
    for (const figure of show(lives)) context.show(figure);
  }
}

async function oneLife(n, context) {
  const { step, wants, show, quick } = context;
  const life = { where: 'real', n, rings: RINGS };
  step(`${n} real processes start together`);
  const ports = await freePorts(n);
  const addresses = ports.map((port) => `ws://127.0.0.1:${port}`);
  const seeds = addresses.slice(0, 3);
  const nodes = addresses.map(
    (address) => new MeasuredProcess('node.mjs', [address, String(n), ...seeds]),
  );
  try {
    const startMs = await formed(nodes);
    if (wants('start')) show(await startFigure(n, startMs));
    if (wants('messages', 'bytes', 'connections', 'cpu', 'memory')) {
      Object.assign(life, await idle(nodes, { ...context, seconds: quick ? 15 : 30 }));
    }
    if (wants('leave')) show(await leave(n, nodes, addresses, context));
    if (wants('crash')) show(await crash(n, nodes, addresses, context));
    return life;
  } finally {
    for (const node of nodes) node.kill();
  }
}

const times = (told) => told.map(({ atMs }) => atMs);
const heardBy = (processes, what, about, sinceMs, withinMs) =>
  Promise.all(processes.map((each) => each.hears(what, about, sinceMs, withinMs))).then(times);

/** On a machine that is too busy for this many processes some are held unreachable; it is said with the figure. */
function mistakes(nodes, beforeMs) {
  const wrong = nodes.flatMap(({ told }) =>
    told.filter(({ what, atMs }) => what === 'memberUnreachable' && atMs < beforeMs),
  );
  return wrong.length > 0
    ? `live nodes were held unreachable before, ${wrong.length} times`
    : undefined;
}

/** Ms from the moment the last of them listened until the last saw all Up. */
async function formed(nodes) {
  const listening = await heardBy(nodes, 'listening');
  const upEverywhere = await heardBy(nodes, 'formed', undefined, 0, FORMING_MAX_MS);
  return Math.max(...upEverywhere) - Math.max(...listening);
}

async function startFigure(n, value) {
  const hellosMs = await tenHellos(n);
  const most = Math.max(5_000, hellosMs);
  return figure('start', `real, n = ${n}, after the last one listens`, {
    value,
    unit: 'ms',
    against: `${HELLOS} bare hellos each`,
    other: hellosMs,
    reach: '≤ 5,000 ms',
    isMet: value <= most,
  });
}

/** As many bare processes, all listening already, exchange hellos with ten others each, all at once. */
async function tenHellos(n) {
  const processes = Array.from({ length: n }, () => new MeasuredProcess('hello.mjs'));
  try {
    const told = await Promise.all(processes.map((each) => each.hears('listening')));
    const ports = told.map(({ port }) => port);
    const startMs = performance.timeOrigin + performance.now();
    const done = await Promise.all(
      processes.map((each, i) => {
        const others = ports.map((_, j) => ports[(i + j + 1) % n]);
        return each.ask('exchange', { ports: others.slice(0, Math.min(HELLOS, n - 1)) });
      }),
    );
    return Math.max(...times(done)) - startMs;
  } finally {
    for (const each of processes) each.kill();
  }
}

const ask = (processes, question) => Promise.all(processes.map((each) => each.ask(question)));

/** What each of them used and said in so many seconds. */
async function watch(processes, seconds) {
  const look = async () => ({
    vitals: await ask(processes, 'vitals'),
    samples: await ask(processes, 'sample'),
  });
  const before = await look();
  await sleep(seconds * 1_000);
  const after = await look();
  const growth = (kind, name) =>
    after[kind].map((each, i) => (each[name] - before[kind][i][name]) / seconds);
  return { after, growth };
}

async function idle(nodes, { seconds, step, wants, show }) {
  const n = nodes.length;
  step(`${n} real processes settle`);
  const bare = Array.from({ length: PEERS }, () => new MeasuredProcess('bare.mjs'));
  await sleep(SETTLE_MS);
  const first = await watch(nodes, 5);
  const received = median(first.growth('samples', 'framesReceived'));
  const bytes = median(first.growth('samples', 'bytesReceived')) / received;
  const echoes = await idleEchoes(Math.round(received), Math.round(bytes));
  try {
    step(`${n} real processes and ${PEERS} bare ws processes idle for ${seconds} s`);
    const [ours, theirs] = await Promise.all([watch(nodes, seconds), watch(echoes.peers, seconds)]);
    if (wants('cpu')) show(cpuFigure(n, ours, theirs));
    if (wants('memory')) show(await memoryFigure(n, ours, bare));
    return {
      messages: median(ours.growth('samples', 'framesSent')),
      bytes: median(ours.growth('samples', 'bytesSent')),
      connections: ours.after.samples.map(({ connections }) => connections),
    };
  } finally {
    for (const each of [...bare, ...echoes.all]) each.kill();
  }
}

/** Bare processes that are sent, and answer, as many frames a second as a node hears. */
async function idleEchoes(connections, bytes) {
  const peers = Array.from({ length: PEERS }, () => new MeasuredProcess('idle-echo.mjs'));
  const beater = new MeasuredProcess('beater.mjs');
  const told = await Promise.all(peers.map((each) => each.hears('listening')));
  await beater.hears('listening');
  await beater.ask('beat', { ports: told.map(({ port }) => port), connections, bytes });
  await sleep(3_000);
  return { peers, all: [...peers, beater] };
}

function cpuFigure(n, ours, theirs) {
  const perSecond = (each) => median(each.growth('vitals', 'cpuUs')) / 1_000;
  const [value, other] = [perSecond(ours), perSecond(theirs)];
  const frames = (each, name) => median(each.growth('samples', name)).toFixed(1);
  return figure('cpu', `real, n = ${n}, ms of CPU per second`, {
    value,
    unit: 'ms/s',
    against: 'idle ws process',
    other,
    reach: '≤ 2',
    isMet: value / other <= 2,
    note:
      `frames received a second: ${frames(ours, 'framesReceived')} by a node, ` +
      `${frames(theirs, 'frames')} by the ws process; medians`,
  });
}

async function memoryFigure(n, ours, bare) {
  const megabytes = (all) => median(all.map(({ residentBytes }) => residentBytes)) / 1_048_576;
  const [value, other] = [megabytes(ours.after.vitals), megabytes(await ask(bare, 'vitals'))];
  return figure('memory', `real, n = ${n}, resident`, {
    value,
    unit: 'MB',
    against: 'bare process',
    other,
    reach: '≤ 20 MB more',
    isMet: value - other <= 20,
    note: `${(value - other).toFixed(1)} MB more; medians`,
  });
}

async function untilAgreed(nodes) {
  for (;;) {
    const answers = await ask(nodes, 'agrees');
    if (answers.every(({ isSo }) => isSo)) return;
    await sleep(50);
  }
}

async function leave(n, nodes, addresses, { step }) {
  step(`${n} real processes: one leaves`);
  await untilAgreed(nodes);
  const leaver = nodes.pop();
  const { atMs } = await leaver.ask('leave');
  const gone = await heardBy(nodes, 'memberRemoved', addresses[n - 1]);
  const value = Math.max(...gone) - atMs;
  const against = { against: 'median of the others', other: median(gone) - atMs };
  const reach = { reach: '< 1,000 ms', isMet: value < 1_000 };
  return figure('leave', `real, n = ${n}`, { value, unit: 'ms', ...against, ...reach });
}

async function crash(n, nodes, addresses, { step }) {
  step(`${n} real processes: one is killed`);
  await untilAgreed(nodes);
  // Five punctual heartbeats at least, so that no detector is still in its first guess.
  await sleep(5_000);
  const about = addresses[nodes.length - 1];
  const startMs = performance.timeOrigin + performance.now();
  nodes.pop().kill();
  const seen = await heardBy(nodes, 'memberUnreachable', about, startMs);
  const value = Math.max(...seen) - startMs;
  return crashFigure(`real, n = ${n}`, value, mistakes(nodes, startMs));
}
