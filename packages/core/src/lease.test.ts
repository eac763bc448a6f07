import { describe, expect, it } from 'vitest';
import { HandClock } from './hand-clock.js';
import { MemoryLease } from './lease.js';
import { readSettings } from './membership/settings.js';
import { ClusterSettingsError } from './membership/settings-error.js';
import { PuppetPeer, PuppetPorts, puppetNode, settled } from './puppet-ports.testing.js';
import { startCluster } from './start-cluster.js';

const A = 'ws://a:7000#a1';
const B = 'ws://b:7000#b1';

describe('a lease in memory', () => {
  const given = () => {
    const clock = new HandClock();
    return { clock, lease: new MemoryLease(clock) };
  };

  it('grants a matter to the first who asks, for ever', async () => {
    const { lease } = given();
    expect(await lease.acquire('x', A)).toBe(A);
    expect(await lease.acquire('x', B)).toBe(A);
    expect(await lease.acquire('x', A)).toBe(A);
    expect(await lease.acquire('y', B)).toBe(B);
    expect([...lease.granted]).toEqual([
      ['x', A],
      ['y', B],
    ]);
  });

  it('refusing: rejects, and grants nothing', async () => {
    const { lease } = given();
    lease.conduct = 'refusing';
    await expect(lease.acquire('x', A)).rejects.toThrow('cannot be reached');
    lease.conduct = 'answering';
    expect(await lease.acquire('x', B)).toBe(B);
  });

  it('forgetful: rejects, and has granted', async () => {
    const { lease } = given();
    lease.conduct = 'forgetful';
    await expect(lease.acquire('x', A)).rejects.toThrow('cannot be reached');
    lease.conduct = 'answering';
    expect(await lease.acquire('x', B)).toBe(A);
  });

  it('silent: never answers, and grants nothing', async () => {
    const { clock, lease } = given();
    lease.conduct = 'silent';
    let isOver = false;
    void lease.acquire('x', A).finally(() => {
      isOver = true;
    });
    clock.advance(1e9);
    await settled();
    expect(isOver).toBe(false);
    expect(lease.granted.size).toBe(0);
  });

  it('slow: takes its time to grant, and again to answer', async () => {
    const { clock, lease } = given();
    lease.delayMs = 100;
    const answer = lease.acquire('x', A);
    clock.advance(99);
    expect(lease.granted.size).toBe(0);
    clock.advance(1);
    expect(lease.granted.get('x')).toBe(A);
    clock.advance(100);
    expect(await answer).toBe(A);
  });
});

describe('a node that is told to ask a lease', () => {
  const K = 'ws://z:7000#00000000000000f1';
  const settings = { downing: { strategy: 'lease-majority', stableAfter: '5s' } };

  /** Let alone by its only companion, for long enough to decide. */
  async function alone() {
    const node = await puppetNode({ settings });
    new PuppetPeer(K, node.cluster, node.transport).joins();
    return node;
  }
  async function passes(clock: HandClock, ms: number) {
    for (let i = 0; i < ms; i += 250) {
      clock.advance(250);
      await settled();
    }
  }

  it('goes on alone when it is granted the tie', async () => {
    const { cluster, ports, clock } = await alone();
    await passes(clock, 14_000);
    expect(cluster.state.members.map(({ address }) => address)).toEqual(['ws://m:7000']);
    expect([...ports.lease.granted.values()]).toEqual([cluster.self.node]);
  });

  it('stops when the other has it', async () => {
    const { cluster, ports, clock } = await alone();
    ports.lease.acquire = async () => K;
    await passes(clock, 14_000);
    expect(await cluster.ended).toMatchObject({ reason: 'minority' });
  });

  it.each([
    ['an error', new Error('503')],
    ['something else', '503'],
    ['an error without a message', new Error('')],
    ['what is no text', Object.create(null)],
  ])('asks again when the lease throws %s, and says why', async (_, thrown) => {
    const { cluster, ports, clock } = await alone();
    const real = ports.lease.acquire.bind(ports.lease);
    let calls = 0;
    ports.lease.acquire = async (...asked) => {
      if (++calls === 1) throw thrown;
      return real(...asked);
    };
    await passes(clock, 14_000);
    expect(cluster.state.members).toHaveLength(1);
    expect(calls).toBe(2);
    const lines = ports.lines.map(({ message }) => message);
    expect(lines).toContainEqual(
      expect.stringMatching(/^the lease did not answer: (503|no reason .+)$/),
    );
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['yes', true, 'true'],
    ['bytes', new Uint8Array(3), 'an object'],
    ['an address', 'ws://z:7000', "'ws://z:7000'"],
    ['a stranger', 'ws://x:7000#00000000000000e1', "'ws://x:7000#00000000000000e1'"],
    ['an earlier run', 'ws://z:7000#00000000000000f0', "'ws://z:7000#00000000000000f0'"],
    ['far too much', 'x'.repeat(1e6), `'${'x'.repeat(100)}'`],
  ])('takes %s for no answer: warns, asks again, and goes on', async (_, answer, said) => {
    const { cluster, ports, clock } = await alone();
    const real = ports.lease.acquire.bind(ports.lease);
    let calls = 0;
    ports.lease.acquire = async (...asked) => (++calls === 1 ? (answer as string) : real(...asked));
    await passes(clock, 14_000);
    expect(cluster.state.members).toHaveLength(1);
    expect(calls).toBe(2);
    const warned = ports.lines.find(({ message }) => message.includes('no answer that can be'));
    expect(warned?.level).toBe('warn');
    expect(warned?.message).toBe(
      `the lease gave no answer that can be used: it answered ${said}; acquire() resolves to the owner it was granted to, the unique address of a member with a vote in this tie, such as ws://host:port#uid`,
    );
  });

  it('ends by its own fate, not by a bug, when no answer is ever of use', async () => {
    const { cluster, ports, clock } = await alone();
    ports.lease.acquire = async () => 5 as unknown as string;
    await passes(clock, 30_000);
    expect(await cluster.ended).toMatchObject({ reason: 'notQuorate' });
  });

  it('is not started without one', async () => {
    const { transport, clock, random, resolver, logger } = new PuppetPorts();
    const options = { name: 'test', seeds: [], roles: [], appVersion: '1' };
    const started = startCluster(
      { ...options, settings: readSettings(settings) },
      { transport, clock, random, resolver, logger },
    );
    await expect(started).rejects.toThrow(ClusterSettingsError);
    expect(transport.calls).toEqual([]);
  });
});
