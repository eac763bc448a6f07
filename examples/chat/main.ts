/**
 * A chat between nact actors at four nodes. One guest stops, the node of another crashes: the hall hears of both, of the
 * second only when its node is removed.
 */
import { dispatch, stop } from 'nact';
import { type Cluster, join, silentLogger } from 'rollcall';
import { filter, firstValueFrom, Subject, timeout } from 'rxjs';
import { type Line, openHall, type ToHall } from './hall.js';
import { NactActors } from './nact-actors.js';

const anyPort = 'ws://127.0.0.1:0';
const news = new Subject<string>();
news.subscribe((text) => console.log(`  ${text}`));

/** Resolves when it is told; what is not told within 20 s ends the program with exit code 1. */
const told = (text: string) => {
  const late = () => {
    throw new Error(`not seen within 20 s: ${text}`);
  };
  return firstValueFrom(
    news.pipe(
      filter((each) => each === text),
      timeout({ first: 20_000, with: late }),
    ),
  );
};

const start = (seeds: readonly string[]): Promise<Cluster> =>
  join({
    name: 'chat',
    listen: anyPort,
    seeds,
    settings: { profile: 'local', downing: { stableAfter: '1s' } },
    logger: silentLogger,
  });

const first = await start([anyPort]);
const here = new NactActors(first);
const hall = openHall(here, (text) => news.next(`hall: ${text}`));

/** A guest at a node of its own. */
async function guest(name: string) {
  const cluster = await start([first.self.address]);
  const nact = new NactActors(cluster);
  const { local, ref } = nact.spawn(name, 0, (heard: number, { by, text }: Line) => {
    news.next(`${name} hears ${by}: ${text}`);
    return heard + 1;
  });
  const toHall = nact.remote<ToHall>(hall);
  const isIn = told(`hall: ${name} enters`);
  dispatch(toHall, { type: 'enter', name, guest: ref });
  await isIn;
  const say = (text: string) => dispatch(toHall, { type: 'say', line: { by: name, text } });
  return { cluster, local, say };
}
const who = async () => ((await here.ask(hall, { type: 'who' })) as readonly string[]).join(', ');

const [ann, ben, cid] = [await guest('ann'), await guest('ben'), await guest('cid')];
const heard = ['ann', 'ben', 'cid'].map((name) => told(`${name} hears ann: hello`));
ann.say('hello');
await Promise.all(heard);

console.log('ben stops');
const benGone = told('hall: ben is gone: stopped');
stop(ben.local);
await benGone;

console.log("cid's node crashes");
const cidGone = told('hall: cid is gone: removed');
const { node } = cid.cluster.self;
await cid.cluster.stop();
const view$ = first
  .member$(node)
  .pipe(filter(({ reachability }) => reachability === 'unreachable'));
await firstValueFrom(view$);
const whileUnreachable = await who();
console.log(`  it is unreachable, and in the hall are: ${whileUnreachable}`);
await cidGone;
const afterwards = await who();
console.log(`in the hall are: ${afterwards}`);
if (whileUnreachable !== 'ann, cid' || afterwards !== 'ann')
  throw new Error(
    'not seen: cid in the hall while its node is unreachable, and not when it is removed',
  );

await Promise.all([first, ann.cluster, ben.cluster].map((cluster) => cluster.leave()));
