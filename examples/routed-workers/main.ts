/**
 * Five worker processes under load, one of which is killed with SIGKILL. Two routers see the same: one asks again elsewhere,
 * the other does not.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createRouter, type Router } from '@rollcall/routing';
import { join, type Member, silentLogger } from 'rollcall';
import { filter, firstValueFrom, interval, type Observable, tap, timeout } from 'rxjs';

const NAMES = ['ann', 'ben', 'cid', 'dee', 'eve'];
const VICTIM = 'cid';
const TICK_MS = 10;

function seen<T>(what: string, stream: Observable<T>, holds: (value: T) => boolean): Promise<T> {
  const late = () => {
    throw new Error(`not seen within 20 s: ${what}`);
  };
  return firstValueFrom(stream.pipe(filter(holds), timeout({ first: 20_000, with: late })));
}

/** Asks two at a time, and counts who answered and what failed. */
class Load {
  asked = 0;
  readonly failed: string[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  #answers = new Map<string, number>();

  ask(router: Router): void {
    for (let i = 0; i < 2; i++) {
      this.asked++;
      const one = router.ask('whoever', { timeoutMs: 1_000 }).then(
        (by) => this.#answers.set(String(by), (this.#answers.get(String(by)) ?? 0) + 1),
        (error: Error) => this.failed.push(error.message),
      );
      this.#pending.add(one);
      one.then(() => this.#pending.delete(one));
    }
  }

  /** Who answered since this was asked last. */
  shares(): string {
    const answers = this.#answers;
    this.#answers = new Map();
    return NAMES.map((name) => `${name} ${answers.get(name) ?? 0}`).join('  ');
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

const anyPort = 'ws://127.0.0.1:0';
await using cluster = await join({
  name: 'routed-workers',
  listen: anyPort,
  seeds: [anyPort],
  settings: { profile: 'local' },
  logger: silentLogger,
});
const file = fileURLToPath(new URL('worker.js', import.meta.url));
const workers = new Map(NAMES.map((name) => [name, fork(file, [cluster.self.address, name])]));
const killAll = () => {
  for (const worker of workers.values()) worker.kill('SIGKILL');
};
process.once('exit', killAll);

const careful = createRouter(cluster, { role: 'worker', avoidPhi: 3, retries: 2 });
const plain = createRouter(cluster, { role: 'worker', avoidPhi: 3 });
await seen('five workers', careful.routees$, ({ length }) => length === NAMES.length);
const isVictim = ({ roles }: Member) => roles.includes(VICTIM);
const victim = cluster.state.members.find(isVictim)?.node ?? '';

const [withRetries, without] = [new Load(), new Load()];
const asking = interval(TICK_MS)
  .pipe(
    tap(() => withRetries.ask(careful)),
    tap(() => without.ask(plain)),
  )
  .subscribe();
await seen('a hundred ticks', interval(TICK_MS), (ticks) => ticks === 100);
console.log(`answered by five:     ${withRetries.shares()}`);

console.log(`SIGKILL for ${VICTIM}`);
const killedMs = performance.now();
const since = () => `${((performance.now() - killedMs) / 1_000).toFixed(1)} s`;
workers.get(VICTIM)?.kill('SIGKILL');
await seen('the router avoids it', careful.routees$, (routees) => !routees.some(isVictim));
console.log(`${since()} later: phi is above 3, the router sends it nothing more`);
withRetries.shares();
await seen(
  'it is unreachable',
  cluster.member$(victim),
  (view) => view.reachability === 'unreachable',
);
console.log(`${since()} later: the cluster holds it unreachable`);
console.log(`answered in between:  ${withRetries.shares()}`);

asking.unsubscribe();
await Promise.all([withRetries.settled(), without.settled()]);
console.log(`with retries:    ${withRetries.asked} asks, ${withRetries.failed.length} failed`);
console.log(`without retries: ${without.asked} asks, ${without.failed.length} failed`);
const [lost] = withRetries.failed;
if (lost !== undefined) throw new Error(`an ask with retries failed: ${lost}`);
const strange = without.failed.find((message) => !message.includes(victim));
if (strange !== undefined)
  throw new Error(`an ask failed that was not sent to ${VICTIM}: ${strange}`);
// A leave would wait until the lost worker is removed.
await cluster.stop();
killAll();
