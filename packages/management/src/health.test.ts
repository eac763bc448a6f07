import { type Blocker, type MemberStatus, readSettings } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { FakeCluster, key, member, stateOf } from './fake-cluster.testing.js';
import { management } from './management.js';

async function probe(cluster: FakeCluster, route: string) {
  const response = await management(cluster)(new Request(`http://localhost${route}`));
  return {
    code: response.status,
    body: (await response.json()) as { ok: boolean; reasons: string[] },
  };
}

const blocker = (kind: Blocker['kind']): Blocker => ({
  kind,
  nodes: [key(2)],
  by: [],
  text: `This is ${kind}.`,
  resolve: 'Wait.',
});

describe('by status', () => {
  test.each<[MemberStatus, number, number, number]>([
    ['joining', 200, 503, 503],
    ['weaklyUp', 200, 200, 503],
    ['up', 200, 200, 200],
    ['leaving', 200, 503, 200],
    ['exiting', 200, 503, 200],
    ['down', 200, 503, 200],
    ['removed', 503, 503, 503],
  ])('%s: alive %i, ready %i, startup %i', async (status, alive, ready, startup) => {
    const cluster = new FakeCluster();
    cluster.self = { ...cluster.self, status };
    for (const [route, expected] of Object.entries({
      '/alive': alive,
      '/ready': ready,
      '/startup': startup,
    })) {
      const { code, body } = await probe(cluster, route);
      expect([route, code, body.ok]).toEqual([route, expected, expected === 200]);
      expect(body.reasons.length > 0).toBe(expected === 503);
    }
  });
});

describe('ready', () => {
  test.each<[Blocker['kind'], number]>([
    ['notQuorate', 503],
    ['noVoters', 503],
    ['notMember', 503],
    ['unreachable', 200],
    ['notSeen', 200],
    ['leaving', 200],
    ['quorumFull', 200],
  ])('%s is %i: only its own standing counts', async (kind, expected) => {
    const cluster = new FakeCluster();
    cluster.blockers = [blocker(kind)];
    const { code, body } = await probe(cluster, '/ready');
    expect(code).toBe(expected);
    expect(body.reasons).toEqual(expected === 503 ? [`This is ${kind}. Wait.`] : []);
  });

  test('waits for the members that the settings ask for, and says how many', async () => {
    const cluster = new FakeCluster();
    cluster.settings = readSettings({ members: { min: 3, minPerRole: { api: 1 } } });
    cluster.state = stateOf(member(1), member(2), member(3, { status: 'joining', age: undefined }));
    const { code, body } = await probe(cluster, '/ready');
    expect(code).toBe(503);
    expect(body.reasons).toEqual([
      '2 of at least 3 members are Up (members.min)',
      '0 of at least 1 members with role api are Up (members.minPerRole.api)',
    ]);
    cluster.state = stateOf(member(1, { roles: ['api'] }), member(2), member(3));
    expect((await probe(cluster, '/ready')).code).toBe(200);
  });
});

describe('startup', () => {
  const joining = (cluster: FakeCluster) => {
    cluster.self = { ...cluster.self, status: 'joining' };
  };
  const notYet = 'this node is Joining: no cluster has published it as Up yet';

  test('names the settings that hold back the publication, and the numbers', async () => {
    const cluster = new FakeCluster();
    joining(cluster);
    cluster.settings = readSettings({ members: { min: 3, minPerRole: { api: 2 } } });
    // Agreed on as Up, so each has an age; shown as Joining until there are enough.
    cluster.state = stateOf(
      member(1, { status: 'joining', roles: ['api'] }),
      member(2, { status: 'joining' }),
      member(3, { status: 'joining', age: undefined, roles: ['api'] }),
    );
    const held = [
      '2 of at least 3 members are Up (members.min): nobody is published as Up before that',
      '1 of at least 2 members with role api are Up (members.minPerRole.api): nobody is published as Up before that',
    ];
    const { code, body } = await probe(cluster, '/startup');
    expect([code, body.reasons]).toEqual([503, [notYet, ...held]]);
    expect((await probe(cluster, '/ready')).body.reasons).toEqual([notYet, ...held]);
  });

  test('does not blame a setting for what another thing holds up', async () => {
    const cluster = new FakeCluster();
    joining(cluster);
    cluster.settings = readSettings({ members: { min: 3 } });
    cluster.state = stateOf(
      member(1, { status: 'joining', age: undefined }),
      member(2),
      member(3, { status: 'leaving' }),
    );
    expect((await probe(cluster, '/startup')).body.reasons).toEqual([notYet]);
  });
});
