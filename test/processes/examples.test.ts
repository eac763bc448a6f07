/** Every folder of `examples/` as whoever tries it runs it: a process that shows its point, checks it, and ends by itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { LONG, test } from './herd.testing.js';
import { ROOT } from './process-run.testing.js';
import { BOUNDS } from './until.testing.js';

/** Of each example, lines that say what it is about. */
const POINTS: Readonly<Record<string, readonly RegExp[]>> = {
  'cache-cluster': [
    /^ +central checker +39 of 40 +\d+ +0 % +\d+$/m,
    /^ +Rollcall +1 of 40 +\d+ +9\d % +\d+$/m,
  ],
  chat: [
    /hears ann: hello\n(.*\n)*.*ben is gone: stopped$/m,
    /unreachable, and in the hall are: ann, cid\n +hall: cid is gone: removed\nin the hall are: ann$/m,
  ],
  'custom-transport': [
    /^db answers \{ at: 1970-01-01T00:00:00.000Z, rows: Map\(1\) \{ 'apples' => 3n \} \}$/m,
    /^sockets in use: 0$/m,
  ],
  'first-cluster': [
    /^all three hold the same state: /m,
    /^ {2}web is told: memberRemoved, worker$/m,
    /^two are left: db up, web up$|^two are left: web up, db up$/m,
  ],
  greeter: [/^Hello Ben, you are number 2$/m, /^the watched actor is gone: stopped$/m],
  'partition-drill': [
    /^ +[\d.]+ s {2}all five go on, nobody was restarted$/m,
    /a stops itself: minority\n(.*\n)*.*are members again, under new uids: a b c d e$/m,
  ],
  'reachability-stream': [
    /SIGSTOP.*\n(.*\n)*.* up and unreachable, say 2\n(.*\n)*.*SIGCONT/,
    /SIGCONT.*\n(.*\n)*.* up and reachable\n(.*\n)*.*SIGKILL/,
    /SIGKILL.*\n(.*\n)*.* complete: it is removed$/m,
  ],
  'routed-workers': [
    /phi is above 3, the router sends it nothing more\n.*the cluster holds it unreachable$/m,
    /^with retries: +\d+ asks, 0 failed$/m,
  ],
  'sharded-counters': [
    /^dee joined: all counters are at 2\n(.*\n)*? {2}dee has \d+, \d+ came \(handOver\)$/m,
    /^ben left: all counters are at 3\n.*came \(left\)$/m,
    /^cid crashed: all counters are at 4\n.*came \(removalMargin\)$/m,
  ],
};

/** Under virtual time, and from a seed: their pages show the very text. */
const TEXT_IS_SHOWN = new Set(['cache-cluster', 'partition-drill']);

function shownText(name: string): string | undefined {
  const [, , , second] = readFileSync(`${ROOT}examples/${name}/README.md`, 'utf8').split('```');
  return second?.trim();
}

const folders = readdirSync(`${ROOT}examples`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the example', LONG, () => {
  test.for(folders)('%s shows what it says, and ends', async (name, { herd }) => {
    const run = herd.example(name);
    const exit = await herd.exitOf(run, BOUNDS.example);
    expect(exit, run.err).toBe(0);
    expect(POINTS[name]?.length ?? 0, 'points to look for').toBeGreaterThan(0);
    for (const point of POINTS[name] ?? []) expect(run.out).toMatch(point);
    if (TEXT_IS_SHOWN.has(name)) expect(run.out.trim()).toBe(shownText(name));
  });
});
