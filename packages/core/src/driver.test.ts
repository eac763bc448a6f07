import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { ClusterError } from './errors.js';
import type { ClusterEvent } from './membership/cluster-event.js';
import { encode } from './membership/codec.js';
import { readSettings } from './membership/settings.js';
import { PuppetPeer, PuppetPorts, puppetNode, settled } from './puppet-ports.testing.js';
import { startCluster } from './start-cluster.js';

const K = 'ws://z:7000#00000000000000f1';
const codeOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClusterError);
  return (error as ClusterError).code;
};

async function two(settings: Record<string, unknown> = {}) {
  const node = await puppetNode({ settings });
  const peer = new PuppetPeer(K, node.cluster, node.transport);
  const state = peer.joins();
  return { ...node, peer, state };
}

describe('starting a node', () => {
  it('listens, says who it is, and looks for a cluster', async () => {
    const { cluster, transport } = await puppetNode();
    expect(transport.calls.slice(0, 2)).toEqual(['listen', 'identify']);
    expect(transport.hellos).toMatchObject([
      { cluster: 'test', self: 'ws://m:7000#0000000000000001' },
    ]);
    expect(cluster.self).toMatchObject({
      node: 'ws://m:7000#0000000000000001',
      address: 'ws://m:7000',
      uid: '0000000000000001',
      roles: ['worker'],
      status: 'up',
    });
    expect(cluster.name).toBe('test');
  });

  it('advertises what it is told to, and otherwise what was bound', async () => {
    const ports = new PuppetPorts();
    const options = {
      name: 'test',
      seeds: [],
      roles: [],
      appVersion: '1',
      settings: readSettings(),
    };
    const cluster = await startCluster({ ...options, advertise: 'ws://public:7000' }, ports);
    expect(cluster.self).toMatchObject({ address: 'ws://public:7000', status: 'joining' });
  });

  it('rejects when the socket cannot be bound, and leaves nothing running', async () => {
    const ports = new PuppetPorts();
    ports.transport.listen = async () => {
      throw new ClusterError('cannotListen', 'in use');
    };
    const options = {
      name: 'test',
      seeds: [],
      roles: [],
      appVersion: '1',
      settings: readSettings(),
    };
    expect(await codeOf(startCluster(options, ports))).toBe('cannotListen');
    expect(ports.clock.pending).toBe(0);
  });

  it.each([false, true])(
    'survives a seed that cannot be resolved, and says so (at once: %s)',
    async (isAtOnce) => {
      const ports = new PuppetPorts();
      const fail = (seed: string) => {
        throw new Error(`${seed}: no such host`);
      };
      ports.resolver = {
        resolve: (seed) => {
          if (!seed.includes('bad')) return Promise.resolve([seed]);
          return isAtOnce ? fail(seed) : Promise.resolve(seed).then(fail);
        },
      };
      const seeds = ['ws://m:7000', 'ws://bad:7000'];
      const options = { name: 'test', seeds, roles: [], appVersion: '1', settings: readSettings() };
      const cluster = await startCluster(options, ports);
      await settled();
      expect(cluster.blockers[0]?.text).toContain('ws://bad:7000: no such host');
      ports.clock.advance(6_000);
      expect(cluster.self.status).toBe('up');
    },
  );

  it.each([false, true])(
    'takes a probe that fails for silence, which proves nothing (at once: %s)',
    async (isAtOnce) => {
      const { transport, peer, cluster } = await two();
      transport.found = new Error('no route');
      if (isAtOnce) transport.throws = 'probe';
      const again = new PuppetPeer('ws://z:7000#00000000000000f2', cluster, transport);
      transport.events?.linkUp(again.hello, undefined);
      again.says({ kind: 'join', roles: [], appVersion: '1' });
      expect(transport.calls).toContain('probe ws://z:7000');
      await settled();
      expect(again.heard('joinRetry')).toMatchObject({ freshUid: false });
      expect(cluster.state.members.some(({ node }) => node === peer.key)).toBe(true);
    },
  );
});

describe('a question that is repeated', () => {
  it.each([
    ['goes beside the link, and an answer that came so is told as such', true],
    ['goes on the link where a transport has no other way', false],
  ])('%s', async (_, hasCast) => {
    const { transport, peer, clock, cluster } = await two();
    const cast: NodeKey[] = [];
    if (hasCast) transport.cast = (to) => cast.push(to);
    for (let n = 0; n < 12; n++) {
      clock.advance(1_000);
      peer.beats();
    }
    clock.advance(3_000);
    const probes = transport.sent.filter(({ message }) => message.kind === 'probe');
    const { round } = peer.heard('probe');
    expect(new Set(probes.map(({ to, slot }) => `${to} ${slot}`))).toEqual(
      new Set([`${K} urgent`]),
    );
    if (hasCast) expect([probes.length, new Set(cast)]).toEqual([1, new Set([K])]);
    else expect(probes.length).toBeGreaterThan(2);
    const answer = { kind: 'probed', subject: K, round, found: true } as const;
    transport.events?.frame(K, encode(answer), true);
    clock.advance(3_500);
    expect(cluster.state.members.map(({ reachability }) => reachability)).toEqual([
      'reachable',
      'reachable',
    ]);
  });
});

describe('one input at a time', () => {
  it('what a subscriber asks for inside an event waits until the step is over', async () => {
    const { cluster, peer, state } = await two();
    const seen: string[] = [];
    cluster.events$.subscribe((event) => {
      seen.push(event.type);
      if (event.type === 'memberLeft') void cluster.down(K);
    });
    cluster.state$.subscribe(({ members }) =>
      seen.push(members.map(({ status }) => status).join(' ')),
    );
    seen.length = 0;
    await cluster.leave({ node: K });
    // Each event and state of the first step comes before any of the second.
    expect(seen.slice(0, 3)).toEqual(['memberLeft', 'convergenceLost', 'up leaving']);
    expect(seen[3]).toBe('memberDowned');
    expect(peer.heard('notMember')).toMatchObject({ removed: true, epoch: state.epoch + 1 });
  });

  it('a subscriber that leaves inside an event leaves', async () => {
    const { cluster } = await puppetNode();
    const peerless = cluster.ended;
    cluster.events$.subscribe((event: ClusterEvent) => {
      if (event.type === 'memberLeft') void cluster.leave();
    });
    await cluster.leave();
    expect(await peerless).toMatchObject({ reason: 'left' });
  });

  it('a subscriber that stops the node inside an event ends it there: nothing more is asked of the ports', async () => {
    const { cluster, transport, clock, peer } = await two();
    clock.advance(50);
    cluster.events$.subscribe((event) => {
      if (event.type === 'memberLeft') void cluster.stop();
    });
    await cluster.leave({ node: K }).catch(() => undefined);
    expect(transport.calls.at(-1)).toBe('close');
    expect(clock.pending).toBe(0);
    peer.beats();
    transport.events?.linkDown(K);
    expect(transport.calls.at(-1)).toBe('close');
  });
});

describe('a frame that is none', () => {
  it('costs its sender the link, changes nothing, and is logged now and then', async () => {
    const { cluster, ports, transport } = await two();
    const before = cluster.state;
    for (let i = 0; i < 25; i++) transport.events?.frame(K, Uint8Array.of(250, i));
    const drops = transport.calls.filter((call) => call.startsWith('drop'));
    expect(drops).toHaveLength(25);
    expect(drops[0]).toBe(`drop ${K}: a frame has the unknown kind 250`);
    const lines = ports.lines.filter(
      ({ level, message }) => level === 'warn' && message.includes('dropped the link'),
    );
    expect(lines).toHaveLength(2);
    expect(cluster.state).toBe(before);
  });
});

describe('a large frame', () => {
  const large = new Uint8Array(65_537).fill(250);
  const STRANGER = 'ws://x:7000#00000000000000f2';

  it('of a node that is no member is ignored, unread, and logged now and then', async () => {
    const { ports, transport } = await two();
    for (let i = 0; i < 25; i++) transport.events?.frame(STRANGER, large);
    expect(transport.calls.filter((call) => call.startsWith('drop'))).toEqual([]);
    const lines = ports.lines.filter(({ message }) => message.includes('no member here'));
    expect(lines.map(({ message }) => message)).toEqual(
      Array(2).fill(
        'ignored a frame of 65537 bytes from ws://x:7000, which is no member here: the limit for it is 65536',
      ),
    );
    transport.events?.frame(STRANGER, large.subarray(1));
    expect(transport.calls.at(-1)).toBe(`drop ${STRANGER}: a frame has the unknown kind 250`);
    expect(ports.lines.at(-1)?.message).toBe(
      'dropped the link to ws://x:7000: a frame has the unknown kind 250',
    );
  });

  it('of a member is read, and of anybody before this node is let in', async () => {
    const { transport } = await two();
    transport.events?.frame(K, large);
    expect(transport.calls.at(-1)).toBe(`drop ${K}: a frame has the unknown kind 250`);
    const joiner = await puppetNode({ seeds: ['ws://a:7000', 'ws://m:7000'] });
    joiner.transport.events?.frame(STRANGER, large);
    expect(joiner.transport.calls.at(-1)).toBe(
      `drop ${STRANGER}: a frame has the unknown kind 250`,
    );
  });
});

describe('a bug', () => {
  it('ends the run at once, and says so in the log and in the ending', async () => {
    const { cluster, ports, transport, clock } = await two();
    transport.throws = 'send';
    clock.advance(1_000);
    expect(await cluster.ended).toEqual({
      reason: 'failed',
      message: 'stopped by a bug: send heartbeat failed',
    });
    expect(ports.lines).toContainEqual({
      level: 'error',
      message: 'met a bug of its own and stops',
    });
    expect(cluster.self.status).toBe('removed');
    expect(transport.calls.at(-1)).toBe('close');
    expect(clock.pending).toBe(0);
  });

  it('rejects those who wait', async () => {
    const { cluster, transport, clock } = await puppetNode({ seeds: ['ws://a:7000'] });
    const waiting = codeOf(cluster.up());
    transport.throws = 'identify';
    transport.events?.linkUp(
      new PuppetPeer('ws://a:7000#a1', cluster, transport).hello,
      'ws://a:7000',
    );
    transport.throws = 'send';
    clock.advance(1_000);
    expect(await waiting).toBe('stopped');
  });
});

describe('a transport', () => {
  it('that fails to close does not keep the run from ending', async () => {
    const { cluster, ports, transport } = await puppetNode();
    transport.throws = 'close';
    await cluster.stop();
    expect(await cluster.ended).toMatchObject({ reason: 'stopped' });
    expect(ports.lines).toContainEqual({ level: 'warn', message: 'closing the transport failed' });
  });

  it('that brings what is no message of a user is told of', async () => {
    const { ports, transport } = await two();
    transport.events?.message(K, { hello: 'there' });
    expect(ports.lines.at(-1)).toEqual({
      level: 'warn',
      message: 'dropped a user message that is none',
    });
  });
});
