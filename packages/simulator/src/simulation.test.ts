import { type Cluster, type ClusterState, startCluster } from '@rollcall/core';
import { BehaviorSubject, NEVER } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { nodeNames } from './node-name.js';
import type { StartCluster } from './node-run.js';
import { duplicate, loss, reorder, uniform } from './rule.js';
import { Simulation, type SimulationOptions } from './simulation.js';
import { SimulationError } from './simulation-error.js';
import { isFormed, memberAt } from './view.js';

async function formed(names: readonly string[], options: Partial<SimulationOptions> = {}) {
  const sim = new Simulation({ seed: 1, ...options });
  sim.startAll(names);
  await sim.runUntil(() => isFormed(sim.nodes), 20_000, 'all are up');
  return sim;
}

describe('Simulation: the same seed, the same story', () => {
  async function story(seed: number): Promise<string> {
    const sim = new Simulation({
      seed,
      latencyMs: uniform(1, 20),
      settings: { downing: { stableAfter: '3s' } },
      trace: { detail: 'frames', keep: 0 },
    });
    sim.startAll(nodeNames(5));
    sim.add(loss(0.05));
    sim.add(duplicate(0.05));
    sim.add(reorder(0.05, 50));
    await sim.run(5_000);
    sim.crash('n2');
    sim.after(700, () => sim.pause('n3', 800));
    await sim.run(2_000);
    sim.restart('n2');
    sim.leave('n5');
    await sim.run(20_000);
    return sim.trace.lines().join('\n');
  }

  test('the trace of every frame is the same byte for byte, whatever else the process does', async () => {
    const alone = await story(7);
    const [here, there] = await Promise.all([story(7), story(7)]);
    expect(alone.length).toBeGreaterThan(50_000);
    expect(here === alone).toBe(true);
    expect(there === alone).toBe(true);
  });

  test('another seed is another story', async () => {
    expect((await story(7)) === (await story(8))).toBe(false);
  });
});

describe('Simulation: applications', () => {
  test('what they ask each other is answered in the time of the wire, in one run', async () => {
    const sim = await formed(['a', 'b'], { latencyMs: 10 });
    const [a, b] = [sim.node('a').cluster, sim.node('b').cluster];
    b.answer(async ({ body }) => `${body}, thrice`);
    const answers: (readonly [unknown, number])[] = [];
    const talk = async () => {
      for (const body of ['one', 'two', 'three'])
        answers.push([await a.ask(b.self.node, body), a.clock.nowMs()]);
    };
    const startMs = a.clock.nowMs();
    void talk();
    await sim.run(1_000);
    expect(answers).toEqual([
      ['one, thrice', startMs + 20],
      ['two, thrice', startMs + 40],
      ['three, thrice', startMs + 60],
    ]);
  });

  test('what they wait for by the clock comes at its time, each wait after the other', async () => {
    const sim = await formed(['a', 'b']);
    const [a, b] = [sim.node('a').cluster, sim.node('b').cluster];
    b.messages$.subscribe(() => {});
    const startMs = a.clock.nowMs();
    const lateAtMs: number[] = [];
    const ask = async () => {
      await new Promise<void>((resolve) => void a.clock.schedule(500, resolve));
      for (let i = 0; i < 3; i++) {
        await a.ask(b.self.node, i, { timeoutMs: 1_000 }).catch(() => {});
        lateAtMs.push(a.clock.nowMs() - startMs);
      }
    };
    void ask();
    await sim.run(10_000);
    expect(lateAtMs).toEqual([1_500, 2_500, 3_500]);
  });
});

describe('Simulation: verbs', () => {
  test('a crash is seen, and the restart is another node at the same address', async () => {
    const sim = await formed(['a', 'b', 'c'], { settings: { downing: { stableAfter: '3s' } } });
    const before = sim.node('c').key ?? '';
    sim.crash('c');
    expect(sim.node('c').phase).toBe('crashed');
    sim.restart('c');
    await sim.runUntil(() => isFormed(sim.nodes), 60_000, 'c is back');
    const after = sim.node('c').key ?? '';
    expect(after).not.toBe(before);
    expect(after.split('#')[0]).toBe(before.split('#')[0]);
    expect(sim.node('c').incarnation).toBe(1);
  });

  test('a node that runs cannot be started once more', async () => {
    const sim = new Simulation({ seed: 1 });
    sim.start('a');
    expect(() => sim.start('a')).toThrow('a runs already');
    await sim.run(100);
    expect(() => sim.restart('a')).toThrow('a runs already');
    expect(() => sim.crash('b')).toThrow('no node named b');
  });

  test('leaving settles while time runs', async () => {
    const sim = await formed(['a', 'b', 'c']);
    const leave = sim.leave('b');
    expect(leave.state).toBe('pending');
    await sim.runUntil(() => leave.state === 'done', 5_000, 'b has left');
    expect(sim.node('b').phase).toBe('ended');
    expect(sim.node('b').ending?.reason).toBe('left');
  });

  test('a command that cannot be carried out fails with its error', async () => {
    const sim = await formed(['a', 'b']);
    const down = sim.down('a', 'nobody');
    await sim.run(0);
    expect(down.state).toBe('failed');
    expect(down.error).toMatchObject({ code: 'unknownMember' });
  });

  test('a start that cannot listen fails and says so', async () => {
    const sim = new Simulation({ seed: 1 });
    sim.start('a');
    sim.start('b', { address: 'ws://a:7355' });
    await sim.run(10);
    expect(sim.node('b').phase).toBe('failed');
    expect(sim.node('b').failure).toMatchObject({ code: 'cannotListen' });
    expect(() => sim.leave('b')).toThrow('b is not up yet');
  });

  test('settings that cannot be used are refused at once; a node may have its own', () => {
    const sim = new Simulation({ seed: 1, settings: { heartbeat: { interval: '2s', rings: 3 } } });
    expect(() => sim.start('a', { settings: { heartbeat: { ring: 5 } } })).toThrow(
      /heartbeat\.ring/,
    );
    const run = sim.start('a', { settings: { heartbeat: { rings: 4 } } });
    expect(run.options.settings.heartbeat).toEqual({ interval: 2_000, rings: 4 });
  });

  test('a paused node hears nothing and says nothing until it is resumed', async () => {
    const sim = await formed(['a', 'b', 'c']);
    const { counters } = sim.node('b');
    sim.pause('b', 2_000);
    const [sent, received] = [counters.framesSent, counters.framesReceived];
    await sim.run(1_999);
    expect([counters.framesSent, counters.framesReceived]).toEqual([sent, received]);
    await sim.run(10);
    expect(counters.framesReceived).toBeGreaterThan(received);
  });

  test('what a script has planned happens at its moment', async () => {
    const sim = new Simulation({ seed: 1 });
    const at: number[] = [];
    sim.after(250, () => at.push(sim.nowMs));
    await sim.run(1_000);
    expect(at).toEqual([250]);
  });

  test('seed hosts stand for whom the table says', async () => {
    const sim = new Simulation({
      seed: 1,
      seeds: ['db', 'nowhere'],
      hosts: { db: ['b', 'a'], nowhere: [] },
      settings: { join: { seedTimeout: '1s' } },
    });
    sim.startAll(['a', 'b']);
    await sim.runUntil(() => isFormed(sim.nodes), 20_000, 'both are up');
  });
});

describe('Simulation: waiting', () => {
  test('says how long it took, to the moment of the change', async () => {
    const sim = await formed(['a', 'b', 'c']);
    sim.crash('c');
    const key = sim.node('c').key ?? '';
    const ms = await sim.runUntil(
      () => memberAt(sim.node('a'), key)?.reachability === 'unreachable',
      30_000,
    );
    expect(ms).toBeGreaterThan(1_000);
    expect(sim.nowMs).toBeGreaterThanOrEqual(ms);
    expect(memberAt(sim.node('a'), key)?.reachability).toBe('unreachable');
  });

  test('what does not come to pass is reported with the seed and what every node sees', async () => {
    const sim = new Simulation({ seed: 42 });
    sim.startAll(['a', 'b']);
    const waiting = sim.runUntil(() => sim.nodes.length > 2, 500, 'a third node is there');
    await expect(waiting).rejects.toBeInstanceOf(SimulationError);
    await expect(waiting).rejects.toThrow(
      /^seed 42, at 500\.000 ms: within 500 ms .* a third node/,
    );
    await expect(waiting).rejects.toThrow(/\n {2}b epoch \d+ .*: a#\w{4} up, b#\w{4} up/);
  });

  test('two runs at once are refused', async () => {
    const sim = new Simulation({ seed: 1 });
    sim.start('a');
    const first = sim.run(10);
    await expect(sim.run(10)).rejects.toThrow('time runs already');
    await first;
  });

  test('pending names what has not come to rest', async () => {
    const sim = new Simulation({ seed: 1, settings: { downing: { stableAfter: '3s' } } });
    sim.startAll(['a', 'b', 'c']);
    expect(sim.pending()).toBe('a, b, c to come up');
    await sim.run(0);
    expect(sim.pending()).toBe('a to hear of b');
    await sim.run(1_000);
    expect(sim.pending()).toBeUndefined();
    sim.crash('c');
    expect(sim.pending()).toMatch(/^a to remove c#\w{4}, which is up there$/);
    await sim.run(30_000);
    expect(sim.pending()).toBeUndefined();
  });
});

describe('Simulation: other nodes than ours', () => {
  const toy =
    (states: readonly Partial<ClusterState>[]): StartCluster =>
    async (options, { transport, clock, random }) => {
      const address = await transport.listen({
        linkUp() {},
        linkDown() {},
        frame() {},
        dialFailed() {},
        message() {},
      });
      const node = `${address}#${random.uid()}`;
      const blank = { self: node, members: [], convergence: false, digest: '', epoch: 0 };
      const state$ = new BehaviorSubject<ClusterState>({ ...blank, clusterId: node });
      states.forEach((state, i) => {
        clock.schedule(10 * i + 10, () => state$.next({ ...state$.value, ...state }));
      });
      const toyCluster = { state$, events$: NEVER, ended: new Promise(() => {}), self: { node } };
      const getter = { get: () => state$.value };
      const cluster: unknown = Object.defineProperty({ ...toyCluster, options }, 'state', getter);
      return cluster as Cluster;
    };

  test('a toy runs in the place of a node', async () => {
    const sim = new Simulation({ seed: 1, startCluster: toy([{ epoch: 5 }]) });
    sim.start('a');
    await sim.run(100);
    expect(sim.node('a').state?.epoch).toBe(5);
  });

  test('a violation stops the walk where it shows, with the rule and the node', async () => {
    const sim = new Simulation({ seed: 9, startCluster: toy([{ epoch: 5 }, { epoch: 4 }]) });
    sim.start('a');
    await expect(sim.run(100)).rejects.toThrow(
      'seed 9, at 20.000 ms: I1 at a: the epoch went from 5 back to 4',
    );
  });

  test('an error inside a node fails the run and keeps its cause', async () => {
    const broken: StartCluster = async (options, ports) => {
      ports.clock.schedule(30, () => {
        throw new Error('oh no');
      });
      return startCluster(options, ports);
    };
    const sim = new Simulation({ seed: 9, startCluster: broken });
    sim.start('a');
    const run = sim.run(100);
    await expect(run).rejects.toThrow('seed 9, at 30.000 ms: oh no');
    await expect(run).rejects.toMatchObject({ cause: { message: 'oh no' } });
  });
});
