import { describe, expect, it } from 'vitest';
import { outside, Stage } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';

const B = 'ws://b:7000#00000000000000b1';
const lone = { kind: 'seedAnswer', standing: outside } as const;
const hasFounded = (stage: Stage) => stage.machine.state.clusterId === stage.self;

/** The first of two seeds; nobody has answered yet. */
function first(seeds = ['ws://m:7000', 'ws://b:7000'], settings = {}) {
  const stage = new Stage(settings, seeds);
  stage.step({ kind: 'start' });
  return stage;
}

describe('the first seed', () => {
  it('founds at once when it is the only one', () => {
    const stage = first(['ws://m:7000']);
    expect(stage.out).toContainEqual({ kind: 'resolve', seeds: ['ws://m:7000'] });
    expect(hasFounded(stage)).toBe(false);
    stage.resolves();
    expect(hasFounded(stage)).toBe(true);
    expect(stage.told('selfUp')).toHaveLength(1);
    expect(stage.machine.state).toMatchObject({ convergence: true, members: [{ status: 'up' }] });
  });

  it('founds when every other seed said that it is in no cluster', () => {
    const stage = first();
    stage.resolves();
    stage.links(B, 'ws://b:7000');
    expect(stage.sent('seedAsk', B)).toHaveLength(1);
    expect(hasFounded(stage)).toBe(false);
    stage.hears(B, lone);
    expect(hasFounded(stage)).toBe(true);
    expect(stage.sent('seedAnswer', B)[0]?.standing.clusterId).toBe(stage.self);
  });

  it('founds when join.seedTimeout has passed and nobody is in a cluster', () => {
    const stage = first();
    stage.resolves();
    stage.passes(4_999);
    expect(hasFounded(stage)).toBe(false);
    stage.passes(501);
    expect(hasFounded(stage)).toBe(true);
  });

  it('does not found while another seed is in a cluster', () => {
    const stage = first();
    stage.resolves();
    stage.links(B, 'ws://b:7000');
    const standing = { ...outside, clusterId: 'ws://c:7000#1', size: 1, acceptors: [] };
    stage.hears(B, { kind: 'seedAnswer', standing });
    stage.passes(20_000);
    expect(hasFounded(stage)).toBe(false);
  });

  it('founds when the one that was in a cluster is gone', () => {
    const stage = first();
    stage.resolves();
    stage.links(B, 'ws://b:7000');
    stage.hears(B, {
      kind: 'seedAnswer',
      standing: { ...outside, clusterId: B, size: 2, acceptors: [] },
    });
    stage.passes(20_000);
    stage.step({ kind: 'linkDown', peer: B });
    stage.passes(1_000);
    expect(hasFounded(stage)).toBe(true);
  });

  it('leaves it to a lower address that lists itself first too, as long as that is there', () => {
    const A = 'ws://a:7000#00000000000000a1';
    const stage = first(['ws://m:7000', 'ws://a:7000']);
    stage.resolves();
    stage.links(A, 'ws://a:7000');
    stage.hears(A, { kind: 'seedAnswer', standing: { ...outside, first: true } });
    stage.passes(10_000);
    expect(hasFounded(stage)).toBe(false);
    stage.step({ kind: 'linkDown', peer: A });
    stage.passes(1_000);
    expect(hasFounded(stage)).toBe(true);
  });

  it('waits for a seed that cannot be resolved as long as for one that does not answer', () => {
    const stage = first();
    const seeds = [
      { seed: 'ws://m:7000', addresses: ['ws://m:7000'], problem: undefined },
      { seed: 'ws://b:7000', addresses: [], problem: 'ws://b:7000: no such host' },
    ];
    stage.step({ kind: 'resolved', seeds });
    expect(hasFounded(stage)).toBe(false);
    expect(stage.machine.blockers[0]?.text).toContain('no such host');
    stage.passes(5_500);
    expect(hasFounded(stage)).toBe(true);
  });

  it('is itself under another name when that leads back to it', () => {
    const stage = first(['ws://m:7000', 'ws://alias:7000']);
    stage.resolves();
    expect(hasFounded(stage)).toBe(false);
    stage.step({ kind: 'leadsTo', address: 'ws://alias:7000', peer: stage.self });
    expect(hasFounded(stage)).toBe(true);
  });

  it('is first by a name that leads back to it: advertised by host, resolved to a number', () => {
    const stage = first();
    const address = 'ws://10.0.0.9:7000';
    stage.step({
      kind: 'resolved',
      seeds: [{ seed: 'ws://m:7000', addresses: [address], problem: undefined }],
    });
    expect(hasFounded(stage)).toBe(false);
    stage.step({ kind: 'leadsTo', address, peer: stage.self });
    expect(hasFounded(stage)).toBe(true);
  });

  it('does not found without the role that is counted, and says so', () => {
    const stage = first(['ws://m:7000'], {
      downing: { role: 'voter' },
      join: { giveUpAfter: '2s' },
    });
    stage.resolves();
    stage.passes(2_500);
    expect(hasFounded(stage)).toBe(false);
    expect(stage.stopped).toMatchObject({ reason: 'gaveUp' });
    expect(stage.stopped?.kind === 'stop' && stage.stopped.message).toContain(
      'it lacks the role that downing.role counts (voter)',
    );
    const voter = first(['ws://m:7000'], { downing: { role: 'worker' } });
    voter.resolves();
    expect(hasFounded(voter)).toBe(true);
  });

  it('knows two names of one other seed for the same', () => {
    const stage = first(['ws://m:7000', 'ws://b:7000', 'ws://bb:7000']);
    stage.resolves();
    stage.links(B, 'ws://b:7000');
    stage.hears(B, lone);
    expect(hasFounded(stage)).toBe(false);
    stage.step({ kind: 'leadsTo', address: 'ws://bb:7000', peer: B });
    expect(hasFounded(stage)).toBe(true);
  });
});

describe('a seed list', () => {
  it('may stand for several addresses behind one name', () => {
    const stage = first(['ws://db:7000']);
    const addresses = ['ws://a:7000', 'ws://b:7000'];
    stage.step({
      kind: 'resolved',
      seeds: [{ seed: 'ws://db:7000', addresses, problem: undefined }],
    });
    const links = stage.out.filter((each) => each.kind === 'link');
    expect(links.map((each) => each.kind === 'link' && each.address)).toEqual(addresses);
  });

  it('is looked up again while nobody lets the node in, one look at a time', () => {
    const stage = new Stage({}, ['ws://db:7000']);
    stage.step({ kind: 'start' });
    const lookUps = (ms: number) =>
      stage.passes(ms).filter((each) => each.kind === 'resolve').length;
    expect(lookUps(10_000)).toBe(0);
    stage.step({
      kind: 'resolved',
      seeds: [{ seed: 'ws://db:7000', addresses: [], problem: 'no such host' }],
    });
    expect(stage.machine.blockers[0]?.text).toContain('no such host');
    expect(lookUps(3_000)).toBe(1);
    stage.resolves('ws://a:7000');
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://a:7000' });
    expect(stage.machine.blockers[0]?.text).not.toContain('no such host');
    expect(lookUps(3_500)).toBe(1);
  });

  it('mirrored on two nodes makes one cluster, whoever starts first', () => {
    for (const order of ['ab', 'ba']) {
      const cluster = new VirtualCluster();
      const seedsOf = { a: ['ws://a:7000', 'ws://b:7000'], b: ['ws://b:7000', 'ws://a:7000'] };
      const nodes = [...order].map((name) =>
        cluster.start(name, { seeds: seedsOf[name as 'a' | 'b'] }),
      );
      cluster.until(() => cluster.isSettled(nodes), 10_000);
      expect(nodes.map(board)).toEqual(['a up, b up', 'a up, b up']);
    }
  });

  it('makes one cluster in whatever order its nodes start, the first seed last', () => {
    const cluster = new VirtualCluster();
    const seeds = ['ws://a:7000', 'ws://b:7000', 'ws://c:7000'];
    const others = [...'edcb'].map((name) => cluster.start(name, { seeds }));
    cluster.run(30_000);
    expect(others.map(board)).toEqual(['', '', '', '']);
    const nodes = [...others, cluster.start('a', { seeds })];
    expect(cluster.until(() => cluster.isSettled(nodes), 3_000)).toBeGreaterThan(0);
    expect(new Set(nodes.map(({ state }) => state.clusterId)).size).toBe(1);
  });

  it('forms a cluster although one of three seeds is dead', () => {
    const cluster = new VirtualCluster();
    const seeds = ['ws://a:7000', 'ws://dead:7000', 'ws://b:7000'];
    const nodes = [...'abc'].map((name) => cluster.start(name, { seeds }));
    cluster.until(() => cluster.isSettled(nodes), 8_000);
  });
});

describe('a node that nobody lets in', () => {
  it('says now and then what it has tried, and in the end gives up', () => {
    const cluster = new VirtualCluster({ join: { giveUpAfter: '25s' } });
    const node = cluster.start('n', { seeds: ['ws://x:7000', 'ws://y:7000'] });
    cluster.run(26_000);
    const [stalled] = node.told('joinStalled');
    expect(node.told('joinStalled')).toHaveLength(2);
    expect(stalled?.tried).toEqual([
      'ws://x:7000 does not answer',
      'ws://y:7000 does not answer',
      'this node does not found a cluster: only the first seed may, and that is ws://x:7000',
    ]);
    expect(node.ending).toMatchObject({ reason: 'gaveUp' });
    expect(node.ending?.message).toContain(
      'join.giveUpAfter (25000 ms): ws://x:7000 does not answer',
    );
  });

  it('is told so when its seed list is empty', () => {
    const stage = first([], { join: { giveUpAfter: '2s' } });
    stage.step({ kind: 'resolved', seeds: [] });
    stage.passes(3_000);
    expect(stage.stopped?.kind === 'stop' && stage.stopped.message).toContain(
      'only the first seed may, and none is given',
    );
  });

  it.each([
    ['another name', { name: 'bills' }, 'clusterName', "in a cluster named 'test', not 'bills'"],
    [
      'another strategy',
      { settings: { 'downing.strategy': 'manual' } },
      'settings',
      'downing.strategy is keep-majority at ws://',
    ],
    [
      'other rings',
      { settings: { 'heartbeat.rings': 3 } },
      'settings',
      'heartbeat.rings is 5 at ws://',
    ],
  ] as const)('stops when all refuse it, and says who and why: %s', (_, given, code, words) => {
    const cluster = new VirtualCluster();
    const [a, b] = cluster.formed('ab');
    const digest = a?.state.digest;
    const node = cluster.start('n', { ...given, seeds: ['ws://a:7000', 'ws://b:7000'] });
    cluster.run(1_000);
    expect(node.told('joinRefused').map(({ refusal }) => [refusal.code, refusal.by])).toEqual([
      [code, 'ws://a:7000'],
      [code, 'ws://b:7000'],
    ]);
    expect(node.ending).toMatchObject({ reason: 'refused' });
    expect(node.ending?.message).toContain(`refused by ws://a:7000: ws://a:7000`);
    expect(node.ending?.message).toContain(words);
    expect([a?.state.digest, b?.state.digest]).toEqual([digest, digest]);
  });

  it('does not give in to one refusal while another seed may still say yes', () => {
    const cluster = new VirtualCluster();
    const stranger = cluster.start('s', { name: 'bills', seeds: ['ws://s:7000'] });
    const node = cluster.start('n', { seeds: ['ws://s:7000', 'ws://a:7000'] });
    cluster.run(1_000);
    const friend = cluster.start('a', { seeds: ['ws://a:7000'] });
    cluster.until(() => cluster.isSettled([node, friend]), 5_000);
    expect(board(stranger)).toBe('s up');
  });
});

describe('a contact that says nothing', () => {
  const drops = (stage: Stage) => stage.out.filter(({ kind }) => kind === 'drop');
  const contact = (seeds: string[], settings = {}) => {
    const stage = first(seeds, settings);
    stage.resolves();
    stage.links(B, 'ws://b:7000');
    return stage;
  };
  const others = ['ws://b:7000', 'ws://m:7000'];

  it('is dialled anew when it has left all questions of join.retryAfter unanswered', () => {
    const stage = contact(others);
    stage.passes(2_900);
    expect(drops(stage)).toEqual([]);
    stage.passes(600);
    expect(drops(stage)).toEqual([{ kind: 'drop', peer: B, reason: 'silent' }]);
  });

  it('is not while it answers, whatever it says', () => {
    const stage = contact(others);
    for (let second = 0; second < 20; second++) {
      stage.passes(1_000);
      expect(drops(stage)).toEqual([]);
      stage.hears(B, lone);
    }
  });

  it('is given as long as a handshake may take', () => {
    const stage = contact(others, { join: { retryAfter: 500 }, limits: { handshake: 10_000 } });
    stage.passes(9_500);
    expect(drops(stage)).toEqual([]);
  });

  it('is kept by whoever may found: it would forget that there is a cluster', () => {
    const stage = contact(['ws://m:7000', 'ws://b:7000']);
    const standing = { ...outside, clusterId: 'ws://c:7000#1', size: 1, acceptors: [] };
    stage.hears(B, { kind: 'seedAnswer', standing });
    stage.passes(20_000);
    expect(drops(stage)).toEqual([]);
    expect(hasFounded(stage)).toBe(false);
  });
});
