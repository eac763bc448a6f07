/**
 * Forty nodes share a cache, and for 20 s one of them is deaf: it can send and hears nothing. It is the one that checks all
 * others. Production nodes under virtual time live through it once, with both opinions of who is there beside each other.
 */
import { isFormed, nodeNames, SeededRandom, Simulation } from '@rollcall/simulator';
import { Cache, type Opinion, type Second } from './cache.js';
import { byChecker, byMembership } from './opinions.js';

const NODES = 40;
const READS_PER_S = 2_000;
const keys = Array.from({ length: 5_000 }, (_, i) => `key ${i}`);
const [deaf = '', ...rest] = nodeNames(NODES);
const names = [deaf, ...rest];

const simulation = new Simulation({ seed: 1 });
simulation.startAll(names);
await simulation.runUntil(() => isFormed(simulation.nodes), 60_000, 'forty nodes are one cluster');

/** Promises of asks come true between two steps. */
async function oneSecond(): Promise<void> {
  for (let i = 0; i < 20; i++) await simulation.run(50);
}
const opinions: Readonly<Record<string, Opinion>> = {
  'central checker': byChecker(simulation),
  Rollcall: byMembership(simulation),
};
for (let i = 0; i < 15; i++) await oneSecond();

let isBroken = false;
const isDeaf = (name: string) => isBroken && name === deaf;
const runs = Object.entries(opinions).map(([title, opinion]) => {
  const random = new SeededRandom(1, 'reads');
  return { title, cache: new Cache(names, keys, opinion), random, seconds: [] as Second[] };
});
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    await oneSecond();
    for (const { cache, random, seconds } of runs)
      seconds.push(cache.second(READS_PER_S, () => random.next(), isDeaf));
  }
}

await pass(5);
isBroken = true;
simulation.add(({ to }) => (to === deaf ? 'drop' : 'pass'));
await pass(20);
isBroken = false;
simulation.heal();
await pass(15);

const rate = ({ hits, reads }: Second) => Math.round((100 * hits) / reads);
console.log('hit rate, second by second; the node is deaf from the 6th to the 25th');
for (const { title, seconds } of runs)
  console.log(`  ${title.padEnd(16)} ${seconds.map((each) => rate(each)).join(' ')}`);
console.log('                  taken out  keys moved  worst hit rate  reads of the store');
for (const { title, seconds } of runs) {
  const out = Math.max(...seconds.map((each) => each.out));
  const moved = seconds.reduce((sum, each) => sum + each.moved, 0);
  const worst = Math.min(...seconds.map(rate));
  const store = seconds.reduce((sum, { reads, hits }) => sum + reads - hits, 0);
  const cells = [`${out} of ${NODES}`.padStart(9), String(moved).padStart(11)];
  console.log(
    `  ${title.padEnd(16)}${cells.join(' ')} ${`${worst} %`.padStart(15)} ${String(store).padStart(19)}`,
  );
}

const [central, ours] = runs.map(({ seconds }) => seconds);
const worstOf = (seconds: readonly Second[] = []) => Math.min(...seconds.map(rate));
const outOf = (seconds: readonly Second[] = []) => Math.max(...seconds.map(({ out }) => out));
if (outOf(central) !== NODES - 1) throw new Error('not seen: the checker takes out all others');
if (outOf(ours) !== 1) throw new Error('not seen: the deaf node is taken out, and nobody else');
if (worstOf(ours) < 90) throw new Error(`not seen: a hit rate above 90 %, but ${worstOf(ours)} %`);
if (simulation.running.length !== NODES) throw new Error('not seen: forty nodes run on');
