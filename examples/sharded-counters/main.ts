/** Counters move as members join, leave and crash, and none of them loses or repeats a count. */
import { type Cluster, join, silentLogger } from 'rollcall';
import { Counters, type Store } from './counters.js';

const KEYS = Array.from({ length: 60 }, (_, i) => `counter ${i}`);
const anyPort = 'ws://127.0.0.1:0';
const store: Store = new Map();
const running = new Map<string, { readonly cluster: Cluster; readonly counters: Counters }>();

async function start(name: string, seeds: readonly string[]): Promise<Cluster> {
  const cluster = await join({
    name: 'sharded-counters',
    listen: anyPort,
    seeds,
    settings: { profile: 'local', downing: { stableAfter: '1s' } },
    logger: silentLogger,
  });
  running.set(name, { cluster, counters: new Counters(cluster, KEYS, store) });
  return cluster;
}

let additions = 0;

/** Adds one to each counter, from the first node, and says where they are and how they came there. */
async function addToAll(what: string): Promise<void> {
  additions++;
  const counters = running.get('ann')?.counters;
  const counts = await Promise.all(KEYS.map((key) => counters?.add(key, additions)));
  console.log(`${what}: all counters are at ${[...new Set(counts)].join(' and ')}`);
  for (const [name, { counters }] of running) {
    const came = counters.taken.splice(0).toSorted();
    const how = came.length === 0 ? '' : `, ${came.length} came (${[...new Set(came)].join(', ')})`;
    console.log(`  ${name} has ${counters.keys.length}${how}`);
  }
  const wrong = counts.findIndex((count) => count !== additions);
  if (wrong >= 0)
    throw new Error(`${KEYS[wrong]} is at ${counts[wrong]} after ${additions} additions`);
}

const ann = await start('ann', [anyPort]);
const seeds = [ann.self.address];
await start('ben', seeds);
await start('cid', seeds);
await addToAll('three members');

await start('dee', seeds);
await addToAll('dee joined');

await running.get('ben')?.cluster.leave();
running.delete('ben');
await addToAll('ben left');

await running.get('cid')?.cluster.stop();
running.delete('cid');
await addToAll('cid crashed');

await Promise.all([...running.values()].map(({ cluster }) => cluster.leave()));
