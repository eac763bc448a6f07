import { describe, expect, test } from 'vitest';
import { key, member } from '../fake-cluster.testing.js';
import { FakeWorld } from './fake-world.testing.js';

const WATCH = ['watch', '--management', 'http://127.0.0.1:8355'];

/** Runs a watch, lets the cluster say something, then Ctrl-C. */
async function watching(world: FakeWorld, args: string[], say: () => void): Promise<number> {
  const run = world.run(...args);
  await expect.poll(() => world.printed).not.toBe('');
  say();
  await expect.poll(() => world.printed).toMatch(/735[34]/);
  world.signal('SIGINT');
  // A real fetch breaks off when its signal does; here the stream has to end.
  world.cluster.events$.complete();
  return run;
}

describe('watch', () => {
  test('without a terminal: the members, then a line for each event', async () => {
    const world = new FakeWorld();
    const gone = member(3, { reachability: 'unreachable', observedBy: [key(1), key(2)] });
    const code = await watching(world, WATCH, () => {
      world.cluster.say('memberUp', member(3));
      world.cluster.say('memberUnreachable', gone, 'agreed');
      world.cluster.say('memberRemoved', member(4, { status: 'removed' }), 'downed');
    });
    expect(code).toBe(0);
    expect(world.printed.split('\n').slice(-4, -1)).toEqual([
      '12:00:00.000 ws://127.0.0.1:7353 is Up (agreed here at epoch 7)',
      '12:00:00.000 ws://127.0.0.1:7353 is unreachable, say ws://127.0.0.1:7351, ws://127.0.0.1:7352 (agreed)',
      '12:00:00.000 ws://127.0.0.1:7354 is Removed (downed)',
    ]);
  });

  test('on a terminal: the table again, over the old one', async () => {
    const world = new FakeWorld();
    world.isTerminal = true;
    await watching(world, WATCH, () => world.cluster.say('memberUp', member(3)));
    expect(world.printed.split('\u001b[H')).toHaveLength(3);
    expect(world.printed).toContain('Last: ws://127.0.0.1:7353 is Up');
  });

  test('--json: each event as it was sent', async () => {
    const world = new FakeWorld();
    await watching(world, [...WATCH, '--json'], () => world.cluster.say('memberUp', member(3)));
    const types = world.printed
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each).type);
    expect(types).toEqual([undefined, 'MemberUp']);
  });

  test('a node that goes away is asked until it is back', async () => {
    const world = new FakeWorld();
    let asked = 0;
    const run = world.run(...WATCH);
    await expect.poll(() => world.printed).not.toBe('');
    world.answer(async () => {
      asked += 1;
      if (asked < 3) throw new TypeError('fetch failed');
      if (asked === 4) world.signal();
      return Response.json({ members: [] });
    });
    world.cluster.events$.complete();
    expect(await run).toBe(0);
    expect(world.complained.match(/is gone/g)).toHaveLength(1);
    expect(world.waits).toBe(3);
  });

  test('a node that never answered is exit 1', async () => {
    const world = new FakeWorld();
    world.answer(async () => {
      throw new TypeError('fetch failed');
    });
    expect(await world.run(...WATCH)).toBe(1);
    expect(world.complained).toContain('nobody answers at http://127.0.0.1:8355');
  });
});
