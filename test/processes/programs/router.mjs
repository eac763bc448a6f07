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
/** The cluster, with a count of what goes to the lost worker while that is avoided. */
const counted = {
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
    if (node === victim && seen.avoided !== undefined) result.sentAfterAvoided++;
    return cluster.ask(node, ...given);
  },
};
const routerWith = (retries) => createRouter(counted, { role: 'worker', avoidPhi: 3, retries });
const result = { asked: 0, sentAfterAvoided: 0, failures: { with: [], without: [] } };
const routers = { with: routerWith(2), without: routerWith(0) };

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
routers.without.routees$.subscribe((routees) => {
  const isThere = routees.some(({ node }) => node === victim);
  if (isThere) result.sentAfterAvoided = 0;
  seen.avoided = isThere ? undefined : (seen.avoided ?? performance.now());
});
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
say({ ...result, avoidedMs: sinceKill('avoided'), convictedMs: sinceKill('convicted') });
// A leave would wait for the worker that is not removed yet.
await cluster.stop();
