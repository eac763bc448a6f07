/** The example as it runs without a page: one worker is killed, what follows is told and checked, and it ends. */
import { interval } from 'rxjs';
import { NAMES, nameOf } from './crew.js';
import { Load } from './load.js';
import { type Stage, seen, TICK_MS } from './stage.js';

const VICTIM = 'cid';

export async function killOne({ cluster, crew, careful, plain }: Stage): Promise<void> {
  const victim = cluster.state.members.find((member) => nameOf(member) === VICTIM)?.node ?? '';
  const [lost, others]: [string[], string[]] = [[], []];
  const withRetries = new Load(careful, (why) => lost.push(why));
  const without = new Load(plain, (why) => others.push(why));
  const shares = () => {
    const answered = withRetries.shares(NAMES);
    return NAMES.map((name, i) => `${name} ${answered[i]}`).join('  ');
  };

  const asking = interval(TICK_MS).subscribe(() => {
    withRetries.ask();
    without.ask();
  });
  await seen('a hundred ticks', interval(TICK_MS), (ticks) => ticks === 100);
  console.log(`answered by five:     ${shares()}`);

  console.log(`SIGKILL for ${VICTIM}`);
  const killedMs = performance.now();
  const since = () => `${((performance.now() - killedMs) / 1_000).toFixed(1)} s`;
  crew.kill(VICTIM);
  await seen(
    'the router avoids it',
    careful.routees$,
    (routees) => !routees.some((member) => nameOf(member) === VICTIM),
  );
  console.log(`${since()} later: phi is above 3, the router sends it nothing more`);
  shares();
  await seen(
    'it is unreachable',
    cluster.member$(victim),
    (view) => view.reachability === 'unreachable',
  );
  console.log(`${since()} later: the cluster holds it unreachable`);
  console.log(`answered in between:  ${shares()}`);

  asking.unsubscribe();
  await Promise.all([withRetries.settled(), without.settled()]);
  console.log(`with retries:    ${withRetries.asked} asks, ${withRetries.failed} failed`);
  console.log(`without retries: ${without.asked} asks, ${without.failed} failed`);
  if (lost[0] !== undefined) throw new Error(`an ask with retries failed: ${lost[0]}`);
  const strange = others.find((message) => !message.includes(victim));
  if (strange !== undefined)
    throw new Error(`an ask failed that was not sent to ${VICTIM}: ${strange}`);
}
