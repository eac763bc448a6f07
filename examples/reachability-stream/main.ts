/**
 * What the stream of one member tells while its process is stopped, goes on, and is killed. Two nodes are here, because it
 * takes two observers to hold a third unreachable; the third is a process of its own (`subject.ts`).
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join, type MemberView, silentLogger } from 'rollcall';
import { filter, firstValueFrom, lastValueFrom, timeout } from 'rxjs';

const name = 'reachability-stream';
const anyPort = 'ws://127.0.0.1:0';
/** Short enough to watch: a silence of 2 s is a verdict, and 2 s later it is acted on. */
const settings = { profile: 'local', downing: { stableAfter: '2s' } } as const;

const beganMs = performance.now();
const say = (text: string) =>
  console.log(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(5)} s  ${text}`);

const late = (what: string) => ({
  first: 20_000,
  with: () => {
    throw new Error(`not seen within 20 s: ${what}`);
  },
});

const options = { name, listen: anyPort, settings, logger: silentLogger };
await using cluster = await join({ ...options, seeds: [anyPort] });
const seeds = [cluster.self.address];
await using other = await join({ ...options, seeds });
say(`${other.state.members.length} observers are here`);

const subject = fork(fileURLToPath(new URL('subject.js', import.meta.url)), seeds);
process.once('exit', () => subject.kill('SIGKILL'));

/** A stream of members, each a stream of its own, of which the third is the subject's. It completes when the member is removed. */
const member$ = await firstValueFrom(
  cluster.members$.pipe(
    filter(({ key }) => key !== cluster.self.node && key !== other.self.node),
    timeout(late('the subject')),
  ),
);
member$.subscribe({
  next: ({ status, reachability, observedBy }) => {
    const by = observedBy.length > 0 ? `, say ${observedBy.length}` : '';
    say(`it is ${status} and ${reachability}${by}`);
  },
  complete: () => say('its stream is complete: it is removed'),
});
const is = (reachability: MemberView['reachability']) =>
  firstValueFrom(
    member$.pipe(
      filter((view) => view.status === 'up' && view.reachability === reachability),
      timeout(late(`the subject is ${reachability}`)),
    ),
  );

await is('reachable');
say('SIGSTOP: the process stands still');
subject.kill('SIGSTOP');
await is('unreachable');
say('SIGCONT: it goes on');
subject.kill('SIGCONT');
await is('reachable');
say('SIGKILL: it is gone');
subject.kill('SIGKILL');
await is('unreachable');
await lastValueFrom(member$.pipe(timeout({ ...late('the subject is removed'), each: 20_000 })));
