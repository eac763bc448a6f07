/** Two ways to say who is there, on the same nodes at the same time: one checker asks all others, or all go by the membership. */
import { createPlacement, HashRing } from '@rollcall/routing';
import type { Simulation } from '@rollcall/simulator';
import type { Opinion } from './cache.js';

/** Four unanswered in a row, a second apart. */
const MISSES = 4;
const PING_MS = 1_000;

/** Every node's own placement. For a cache, keys leave a member that is unreachable and not only one that is removed. */
export function byMembership(simulation: Simulation): Opinion {
  const placements = new Map(
    simulation.nodes.map(({ name, cluster }) => [
      name,
      createPlacement(cluster, { moveOn: 'unreachable' }),
    ]),
  );
  const names = new Map(simulation.nodes.map(({ name, key }) => [key, name]));
  const last = simulation.nodes.at(-1);
  return {
    ownerOf: (reader, key) => names.get(placements.get(reader)?.ownerOf(key)),
    isOut: (name) =>
      last?.state?.members.some(
        ({ node, reachability }) => names.get(node) === name && reachability === 'unreachable',
      ) ?? false,
  };
}

/** The first node asks all others each second. Whom it does not hear is dead, and all others believe it. */
export function byChecker(simulation: Simulation): Opinion {
  const [checker, ...others] = simulation.nodes;
  const misses = new Map(others.map(({ name }) => [name, 0]));
  const isDead = (name: string) => (misses.get(name) ?? 0) >= MISSES;
  const names = simulation.nodes.map(({ name }) => name);
  let ring = HashRing.of(names);
  const note = (name: string, count: number) => {
    const before = isDead(name);
    misses.set(name, count);
    if (isDead(name) !== before) ring = HashRing.of(names.filter((each) => !isDead(each)));
  };
  const ping = () => {
    for (const { name, key } of others) {
      checker?.cluster.ask(key ?? '', 'ping', { timeoutMs: 0.9 * PING_MS }).then(
        () => note(name, 0),
        () => note(name, (misses.get(name) ?? 0) + 1),
      );
    }
    simulation.after(PING_MS, ping);
  };
  for (const { cluster } of others) cluster.answer(() => 'pong');
  ping();
  return { ownerOf: (_, key) => ring.ownerOf(key), isOut: isDead };
}
