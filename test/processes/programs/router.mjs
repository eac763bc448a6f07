/**
 * A node that routes a thousand asks a second to five workers, half of them with retries, until one of the workers has been
 * held unreachable for two seconds. It prints when it begins, and at the end what became of the asks and what it saw when.
 */
import { createRouter } from '@rollcall/routing';
import { startNode } from 'rollcall';

const TICK_MS = 10;
const A_TICK = 5;

const [listen, lost, ...seeds] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const cluster = await startNode({ name: 'herd', listen, seeds });
const isReady = ({ members }) => members.filter(({ status }) => status === 'up').length === 6;
await cluster.up();
await new Promise((resolve) => {
  cluster.state$.subscribe((state) => isReady(state) && resolve());
});

/** When it was seen, in ms of this process. */
const seen = { convicted: undefined, avoided: undefined };
const { state$, events$, settings, clock, random } = cluster;
const result = { asked: 0, failures: { with: [], without: [] } };
/** What each router has sent to the lost worker while that was not among its own routees: each looks at its own moments. */
const stray = {};

/** The cluster, with a count of that. */
const countedFor = (kind) => ({
  state$,
  events$,
  settings,
  clock,
  random,
  get state() {
    return cluster.state;
  },
  phi: (...given) => cluster.phi(...given),
  avoid$: (given) => cluster.avoid$(given),
  health: cluster.health,
  guarded: (...given) => cluster.guarded(...given),
  tell: (...given) => cluster.tell(...given),
  ask(node, ...given) {
    if (node === victim && stray[kind] !== undefined) stray[kind]++;
    return cluster.ask(node, ...given);
  },
});
const routerWith = (kind, retries) =>
  createRouter(countedFor(kind), { role: 'worker', avoidPhi: 3, retries });
const routers = { with: routerWith('with', 2), without: routerWith('without', 0) };

const victim = cluster.state.members.find(({ address }) => address === lost).node;
let killedAtMs = performance.now();
const ask = async (kind) => {
  result.asked++;
  try {
    await routers[kind].ask(kind, { timeoutMs: 2_000 });
  } catch ({ code, message }) {
    result.failures[kind].push({ code, isLost: message.includes(victim) });
  }
};
// A worker that is slow for a moment on a busy machine may be avoided and come back.
for (const [kind, { routees$ }] of Object.entries(routers)) {
  routees$.subscribe((routees) => {
    const isThere = routees.some(({ node }) => node === victim);
    stray[kind] = isThere ? undefined : (stray[kind] ?? 0);
    if (kind === 'without')
      seen.avoided = isThere ? undefined : (seen.avoided ?? performance.now());
  });
}
cluster.member$(victim).subscribe(({ reachability }) => {
  if (reachability === 'unreachable') seen.convicted ??= performance.now();
});

say({ asking: true });
// The test says so the moment before it kills the worker.
process.once('SIGUSR2', () => {
  killedAtMs = performance.now();
});
let due = performance.now();
while (seen.convicted === undefined || performance.now() < seen.convicted + 2_000) {
  for (let i = 0; i < A_TICK; i++) for (const kind of ['with', 'without']) ask(kind);
  due += TICK_MS;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
}
await new Promise((resolve) => setTimeout(resolve, 6_500));
const sinceKill = (what) => Math.round(seen[what] - killedAtMs);
const sentAfterAvoided = stray.with + stray.without;
say({
  ...result,
  sentAfterAvoided,
  avoidedMs: sinceKill('avoided'),
  convictedMs: sinceKill('convicted'),
});
// A leave would wait for the worker that is not removed yet.
await cluster.stop();
