import { type Member, markDown, type NodeKey, replicaOf } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, told } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';

const OLD = 'ws://k:7000#0000000000000001';
const NEW = 'ws://k:7000#0000000000000002';
const L = 'ws://l:7000#0000000000000003';
const join = { kind: 'join', roles: [], appVersion: '1' } as const;
const probes = (stage: Stage) =>
  stage.out.flatMap((each) => (each.kind === 'probe' ? [each.address] : []));
const found = (stage: Stage, key: NodeKey | undefined) =>
  stage.step({ kind: 'probed', address: 'ws://k:7000', found: key });

/** A founder, two members, and another run at the address of the first of them, asking to be let in. */
function asked(settings: Record<string, unknown> = {}) {
  const stage = new Stage(settings).founds();
  stage.admits(OLD);
  const state = admitsToo(stage, L);
  stage.links(NEW);
  stage.hears(NEW, join);
  return { stage, state };
}

/** Lets in one more, everybody before it agreeing. */
function admitsToo(stage: Stage, key: NodeKey) {
  const state = stage.admits(key);
  return stage.agrees(OLD, state);
}

describe('another run at the address of a member', () => {
  it('has that address asked who lives there, and changes nothing until it is known', () => {
    const { stage, state } = asked();
    expect(probes(stage)).toEqual(['ws://k:7000']);
    expect(stage.sent('welcome')).toEqual([]);
    expect(stage.machine.state.digest).toBe(state.digest);
    expect(stage.machine.state.convergence).toBe(true);
  });

  it('is refused when the old run answers: the address is in use', () => {
    const { stage, state } = asked();
    found(stage, OLD);
    const [{ refusal } = { refusal: undefined }] = stage.sent('joinRefused', NEW);
    expect(refusal).toMatchObject({ code: 'addressInUse', by: 'ws://m:7000' });
    expect(refusal?.message).toContain(`held by a run that is alive (${OLD})`);
    expect(stage.out).toContainEqual(expect.objectContaining({ kind: 'log', level: 'warn' }));
    expect(stage.machine.state.digest).toBe(state.digest);
  });

  it('has the old one marked down, told so, and asks again when it answers there itself', () => {
    const { stage } = asked();
    found(stage, NEW);
    expect(stage.statusOf(OLD)).toBe('down');
    expect(stage.told('memberDowned')[0]?.why).toContain('another run has taken ws://k:7000');
    expect(stage.sent('notMember', OLD)).toMatchObject([{ removed: true }]);
    expect(stage.sent('joinRetry', NEW)).toMatchObject([{ freshUid: false }]);
  });

  it.each([
    ['nobody answers: the old run may be paused, or busy', undefined],
    ['a third run answers', 'ws://k:7000#0000000000000009'],
  ])('changes nothing, and is to ask again, when %s', (_, key) => {
    const { stage, state } = asked();
    found(stage, key);
    expect(stage.machine.state.digest).toBe(state.digest);
    expect(stage.sent('joinRetry', NEW)).toMatchObject([{ freshUid: false }]);
  });

  it('waits for the removal of the old one, which still counts until then (R13)', () => {
    const { stage, state } = asked();
    found(stage, NEW);
    stage.hears(NEW, join);
    expect(probes(stage)).toEqual([]);
    expect(stage.sent('joinRetry', NEW)).toHaveLength(1);
    const { state: down } = markDown(replicaOf(L, state), OLD);
    stage.hears(L, told(null, down, L));
    expect(stage.statusOf(OLD)).toBeUndefined();
    stage.hears(NEW, join);
    expect(stage.sent('welcome', NEW)).toHaveLength(1);
  });

  it('is asked about once, however often it asks', () => {
    const { stage } = asked();
    stage.hears(NEW, join);
    expect(probes(stage)).toEqual([]);
    expect(stage.sent('joinRetry', NEW)).toHaveLength(1);
  });

  it('is asked about by limits.joins at a time', () => {
    const { stage } = asked({ limits: { joins: 1 } });
    stage.hears('ws://l:7000#9', join);
    expect(probes(stage)).toEqual([]);
    expect(stage.sent('joinRetry', 'ws://l:7000#9')).toHaveLength(1);
  });

  it('is refused at once at the address of this very node', () => {
    const stage = new Stage().founds();
    stage.hears('ws://m:7000#99', join);
    expect(probes(stage)).toEqual([]);
    expect(stage.sent('joinRefused')[0]?.refusal.code).toBe('addressInUse');
  });

  it('convicts the old one at those who see it: no silence needs to pass', () => {
    const stage = new Stage({ agreement: { observers: 1 } }).founds();
    stage.admits(OLD);
    stage.links(NEW, 'ws://k:7000');
    const [member] = stage.machine.state.members.filter(
      ({ node }: { node: Member['key'] }) => node === OLD,
    );
    expect(member?.reachability).toBe('unreachable');
  });
});

describe('a process that is killed and started again on its address', () => {
  it('is up under a new uid, and the old one removed once, round after round', () => {
    const cluster = new VirtualCluster({ downing: { stableAfter: '5s' } });
    const [a, b, c] = cluster.formed('abc');
    let running = b;
    for (const round of [1, 2, 3]) {
      running?.kill();
      cluster.run(1_000);
      const again = cluster.start(`b${round}`, { at: 'b' });
      cluster.until(() => [a, c].every((node) => node?.statusOf(again) === 'up'), 5_000);
      expect(a && board(a)).toBe('a up, b up, c up');
      running = again;
      cluster.run(3_000);
    }
    expect(a?.told('memberRemoved').map(({ member }) => member.address)).toEqual(
      Array(3).fill('ws://b:7000'),
    );
  });

  it('needs nobody in a cluster of two when it is the higher address', () => {
    const cluster = new VirtualCluster({ downing: { stableAfter: '5s' } });
    const [a, b] = cluster.formed('ab');
    b?.kill();
    cluster.run(1_000);
    const again = cluster.start('b2', { at: 'b' });
    cluster.until(() => a?.statusOf(again) === 'up', 5_000);
  });

  it('founds anew in a cluster of two when it is the lower address, once the survivor has stopped itself', () => {
    const cluster = new VirtualCluster({ downing: { stableAfter: '5s' } });
    const [a, b] = cluster.formed('ab');
    a?.kill();
    cluster.run(1_000);
    const again = cluster.start('a2', { at: 'a', seeds: ['ws://a:7000', 'ws://b:7000'] });
    cluster.until(() => b?.ending !== undefined, 20_000);
    expect(b?.ending).toMatchObject({ reason: 'notQuorate' });
    cluster.until(() => board(again) === 'a up', 10_000);
    const restarted = cluster.start('b2', { at: 'b', seeds: ['ws://a:7000', 'ws://b:7000'] });
    cluster.until(() => cluster.isSettled([again, restarted]), 5_000);
  });

  it('is refused when the first one still runs, and that one is untouched', () => {
    const cluster = new VirtualCluster();
    const [a, b] = cluster.formed('ab');
    const digest = a?.state.digest;
    const second = cluster.start('b2', { at: 'b' });
    cluster.run(5_000);
    expect(second.ending).toMatchObject({ reason: 'refused' });
    expect(second.ending?.message).toContain('ws://b:7000 is held by a run that is alive');
    expect(b?.ending).toBeUndefined();
    expect(a?.state).toMatchObject({ digest, convergence: true });
  });
});
