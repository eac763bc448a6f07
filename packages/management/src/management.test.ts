import { ClusterError } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import type { Access } from './access.js';
import { address, FakeCluster, key, member, stateOf } from './fake-cluster.testing.js';
import { BODY_BYTES_MAX } from './form.js';
import { management } from './management.js';

const HERE = 'http://127.0.0.1:8355';
const WRITE: Access = { write: true, loopback: true };

async function ask(
  cluster: FakeCluster,
  path: string,
  init: RequestInit & { readonly access?: Access; readonly at?: string } = {},
) {
  const { access, at = HERE, ...rest } = init;
  const handler = management(cluster, access === undefined ? {} : { access });
  const response = await handler(new Request(`${at}${path}`, rest));
  const text = await response.text();
  return { response, status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const form = (text: string): RequestInit => ({
  method: 'PUT',
  body: text,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

describe('what it reads', () => {
  test('members, in the shape of Akka Management', async () => {
    const cluster = new FakeCluster();
    cluster.state = stateOf(
      member(1, { roles: ['worker'], age: 7 }),
      member(2, { roles: ['api', 'worker'], age: 5 }),
      member(3, { status: 'leaving', age: 1, roles: ['worker'] }),
      member(4, { age: 7, reachability: 'unreachable', observedBy: [key(1), key(2)] }),
      member(5, {
        status: 'joining',
        age: undefined,
        reachability: 'suspected',
        observedBy: [key(1)],
      }),
    );
    cluster.health = { ...cluster.health, score: 2, degraded: new Set([key(3)]) };
    const { status, body } = await ask(cluster, '/cluster/members');
    expect(status).toBe(200);
    expect(body).toEqual({
      selfNode: address(1),
      selfUid: 'uid1',
      selfStatus: 'Up',
      selfHealthScore: 2,
      members: [
        shown(1, { roles: ['worker'], age: 2 }),
        shown(2, { roles: ['api', 'worker'], age: 1 }),
        shown(3, { status: 'Leaving', roles: ['worker'], age: 0 }),
        shown(4, { age: 3, reachability: 'unreachable', observedBy: [address(1), address(2)] }),
        shown(5, {
          status: 'Joining',
          age: null,
          reachability: 'suspected',
          observedBy: [address(1)],
        }),
      ],
      unreachable: [{ node: address(4), observedBy: [address(1), address(2)] }],
      degraded: [address(3)],
      leader: null,
      oldest: address(2),
      oldestPerRole: { api: address(2), worker: address(2) },
      convergence: true,
      digest: '0123456789abcdef0123456789abcdef',
      epoch: 7,
    });
  });

  test('nobody is the oldest while nobody is Up', async () => {
    const cluster = new FakeCluster();
    cluster.state = stateOf(member(1, { status: 'joining', age: undefined }));
    const { body } = await ask(cluster, '/cluster/members');
    expect([body.oldest, body.oldestPerRole]).toEqual([null, {}]);
  });

  test.each([
    ['percent-encoded', encodeURIComponent(address(2))],
    ['without its scheme', '127.0.0.1:7352'],
    ['as it is', address(2)],
    ['with its uid', encodeURIComponent(key(2))],
  ])('one member by its address %s', async (_, path) => {
    const { status, body } = await ask(new FakeCluster(), `/cluster/members/${path}`);
    expect([status, body]).toEqual([200, shown(2, { age: 1 })]);
  });

  test('of two runs at one address, the one that is still here', async () => {
    const cluster = new FakeCluster();
    const old = member(2, { node: `${address(2)}#old` as never, uid: 'old', status: 'down' });
    cluster.state = stateOf(old, member(2));
    const { body } = await ask(cluster, '/cluster/members/127.0.0.1:7352');
    expect(body.nodeUid).toBe('uid2');
    const exact = await ask(cluster, `/cluster/members/${encodeURIComponent(`${address(2)}#old`)}`);
    expect(exact.body).toMatchObject({ nodeUid: 'old', status: 'Down' });
  });

  test('blockers, by address', async () => {
    const cluster = new FakeCluster();
    cluster.blockers = [
      {
        kind: 'unreachable',
        nodes: [key(4)],
        by: [key(1), key(2)],
        text: 'it is gone',
        resolve: 'down it',
      },
    ];
    const { body } = await ask(cluster, '/cluster/blockers');
    expect(body).toEqual({
      selfNode: address(1),
      convergence: true,
      blockers: [
        {
          kind: 'unreachable',
          nodes: [address(4)],
          by: [address(1), address(2)],
          text: 'it is gone',
          resolve: 'down it',
        },
      ],
    });
  });
});

describe('what it changes', () => {
  const one = `/cluster/members/${encodeURIComponent(address(2))}`;

  test.each([
    ['DELETE', { method: 'DELETE' }, `leave ${key(2)}`, `Leaving ${address(2)}`],
    ['Down', form('operation=Down'), `down ${key(2)}`, `Downing ${address(2)}`],
    ['Leave', form('operation=Leave'), `leave ${key(2)}`, `Leaving ${address(2)}`],
    ['DOWN', form('operation=DOWN'), `down ${key(2)}`, `Downing ${address(2)}`],
  ])('%s of another member', async (_, init, call, message) => {
    const cluster = new FakeCluster();
    const { status, body } = await ask(cluster, one, { ...init, access: WRITE });
    expect([status, body, cluster.calls]).toEqual([200, { message }, [call]]);
  });

  test('a form as curl -F sends it', async () => {
    const cluster = new FakeCluster();
    const body = new FormData();
    body.set('operation', 'Down');
    const { status } = await ask(cluster, one, { method: 'PUT', body, access: WRITE });
    expect([status, cluster.calls]).toEqual([200, [`down ${key(2)}`]]);
  });

  test('leaving itself answers before it has left', async () => {
    const cluster = new FakeCluster();
    const { status } = await ask(cluster, '/cluster/members/127.0.0.1:7351', {
      method: 'DELETE',
      access: WRITE,
    });
    expect([status, cluster.calls]).toEqual([200, ['leave self']]);
  });

  test('nothing unless writing was switched on, and says which switch', async () => {
    const cluster = new FakeCluster();
    for (const init of [{ method: 'DELETE' }, form('operation=Down')]) {
      const { status, body, response } = await ask(cluster, one, init);
      expect(status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(body.message).toContain('--management-write');
    }
    expect(cluster.calls).toEqual([]);
  });

  test('a down that would lose the quorum is 409 with who is missing and the ways out', async () => {
    const cluster = new FakeCluster();
    const waysOut = ['bring them back', 'found the cluster anew'];
    const data = { missing: [key(2), key(3)], waysOut };
    cluster.failure = new ClusterError('wouldLoseQuorum', 'downing it would leave no quorum', data);
    const { status, body } = await ask(cluster, one, { ...form('operation=Down'), access: WRITE });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'wouldLoseQuorum', missing: [address(2), address(3)] });
    expect(body.message).toBe('downing it would leave no quorum');
    expect(body.waysOut).toEqual(waysOut);
  });

  test.each([
    ['unknownMember', 404],
    ['notMember', 409],
    ['stopped', 503],
  ] as const)('a cluster that says %s is %i', async (code, expected) => {
    const cluster = new FakeCluster();
    cluster.failure = new ClusterError(code, 'no');
    const { status, body } = await ask(cluster, one, { method: 'DELETE', access: WRITE });
    expect([status, body]).toEqual([expected, { message: 'no', code }]);
  });
});

describe('who may change something', () => {
  const one = '/cluster/members/127.0.0.1:7352';
  const remote: Access = { write: true, loopback: false, token: 'letmein' };

  test.each([
    ['a page of another site', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site fetch', { 'sec-fetch-site': 'same-site' }],
  ])('not %s', async (_, headers: Record<string, string>) => {
    const cluster = new FakeCluster();
    const { status } = await ask(cluster, one, { method: 'DELETE', headers, access: WRITE });
    expect([status, cluster.calls]).toEqual([403, []]);
  });

  test('a page of this very origin, as the operator page will be', async () => {
    const headers = { origin: HERE, 'sec-fetch-site': 'same-origin' };
    const { status } = await ask(new FakeCluster(), one, {
      method: 'DELETE',
      headers,
      access: WRITE,
    });
    expect(status).toBe(200);
  });

  test.each([
    ['evil.example:8355', 403],
    ['localhost.evil.example', 403],
    ['localhost:8355', 200],
    ['[::1]:8355', 200],
  ])('a name that a foreign page may have chosen: %s is %i', async (host, expected) => {
    const { status } = await ask(new FakeCluster(), '/cluster/members', { at: `http://${host}` });
    expect(status).toBe(expected);
  });

  test('beyond loopback any name may ask', async () => {
    const { status } = await ask(new FakeCluster(), '/cluster/members', {
      at: 'http://db.local:1',
      access: remote,
    });
    expect(status).toBe(200);
  });

  test.each([
    ['nothing', {}, 401],
    ['another token', { authorization: 'Bearer letmeout' }, 401],
    ['a longer token', { authorization: 'Bearer letmeinn' }, 401],
    ['the wrong scheme', { authorization: 'Basic letmein' }, 401],
    ['the token', { authorization: 'Bearer letmein' }, 200],
  ])('with a token set, %s is %3$i', async (_, headers: Record<string, string>, expected) => {
    const cluster = new FakeCluster();
    const { status, response } = await ask(cluster, one, {
      method: 'DELETE',
      headers,
      access: remote,
    });
    expect(status).toBe(expected);
    expect(response.headers.get('www-authenticate')).toBe(
      expected === 401 ? 'Bearer realm="rollcall"' : null,
    );
    expect(cluster.calls).toHaveLength(expected === 401 ? 0 : 1);
  });

  test('reading needs no token', async () => {
    expect((await ask(new FakeCluster(), '/cluster/members', { access: remote })).status).toBe(200);
  });
});

describe('what cannot be answered', () => {
  const one = '/cluster/members/127.0.0.1:7352';
  const typed = (type: string, body: string) => ({
    method: 'PUT',
    body,
    headers: { 'content-type': type },
  });

  test.each<[string, string, RequestInit, number, string]>([
    ['an unknown route', '/cluster/shards', {}, 404, 'nothing at /cluster/shards'],
    ['a name of Object.prototype', '/constructor', {}, 404, 'nothing at /constructor'],
    ['an unknown member', '/cluster/members/10.0.0.9:1', {}, 404, 'known here as 10.0.0.9:1'],
    ['bad percent-encoding', '/cluster/members/%E0%A4%A', {}, 400, 'percent-encoded'],
    ['joining over HTTP', '/cluster/members', { method: 'POST' }, 405, '--seed'],
    ['a method without meaning', '/alive', { method: 'DELETE' }, 405, 'takes GET, HEAD, OPTIONS'],
    ['a method of Object.prototype', '/alive', { method: 'constructor' }, 405, 'constructor'],
    ['a PUT of no address', '/cluster/members/', form('operation=Down'), 405, 'address of the'],
    ['a DELETE of no address', '/cluster/members', { method: 'DELETE' }, 405, 'address of the'],
    ['a blank address', '/cluster/members/%20', { method: 'DELETE' }, 400, 'address of the'],
    [
      'a change of nobody',
      '/cluster/members/10.0.0.9:1',
      form('operation=Down'),
      404,
      '10.0.0.9:1',
    ],
    ['an unknown operation', one, form('operation=Reboot'), 400, "'Reboot'"],
    ['no operation', one, form('x=y'), 400, 'operation'],
    ['JSON', one, typed('application/json', '{}'), 415, 'not application/json'],
    ['an untyped body', one, { method: 'PUT' }, 415, 'not untyped'],
    ['a broken form', one, typed('multipart/form-data; boundary=x', 'zzz'), 400, 'readable'],
    ['a huge form', one, form(`operation=${'x'.repeat(BODY_BYTES_MAX)}`), 413, 'longer than'],
    ['an unknown event type', '/cluster/domain-events?type=Nonsense', {}, 400, "'Nonsense'"],
    ['__proto__ as event type', '/cluster/domain-events?type=__proto__', {}, 400, "'__proto__'"],
    [
      'an inherited event type',
      '/cluster/domain-events?type=constructor',
      {},
      400,
      "'constructor'",
    ],
  ])('%s', async (_, path, init, expected, message) => {
    const cluster = new FakeCluster();
    const { status, body, response } = await ask(cluster, path, { ...init, access: WRITE });
    expect([status, body.message]).toEqual([expected, expect.stringContaining(message)]);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.has('allow')).toBe(expected === 405);
    expect(cluster.calls).toEqual([]);
  });

  test('what was not found comes with what there is', async () => {
    const type = await ask(new FakeCluster(), '/cluster/domain-events?type=Nix');
    const { types, groups, message } = type.body;
    expect(types).toEqual(expect.arrayContaining(['MemberUp', 'UnreachableMember', 'SelfUp']));
    expect(groups).toEqual(['ClusterDomainEvent', 'MemberEvent', 'ReachabilityEvent']);
    for (const each of [...types, ...groups]) expect(message).toContain(each);
    const route = await ask(new FakeCluster(), '/cluster/shards');
    expect(route.body.routes).toContain('/cluster/links');
    for (const each of route.body.routes) expect(route.body.message).toContain(each);
  });

  test('HEAD is GET without its body, OPTIONS says what may be asked', async () => {
    const head = await ask(new FakeCluster(), '/cluster/members', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, undefined]);
    const options = await ask(new FakeCluster(), one, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.response.headers.get('allow')).toBe('GET, PUT, DELETE, HEAD, OPTIONS');
  });

  test('a slash at the end does not count', async () => {
    expect((await ask(new FakeCluster(), '/cluster/members/')).body.members).toHaveLength(3);
  });

  test('a bug of ours is 500 and tells the log, not the client', async () => {
    const cluster = new FakeCluster();
    cluster.failure = new TypeError('secret detail');
    const { status, body } = await ask(cluster, one, { ...form('operation=Down'), access: WRITE });
    expect(status).toBe(500);
    expect(body.message).not.toContain('secret detail');
  });
});

function shown(n: number, changes: object) {
  return {
    node: address(n),
    nodeUid: `uid${n}`,
    status: 'Up',
    roles: [],
    appVersion: '1.0.0',
    reachability: 'reachable',
    observedBy: [],
    age: n,
    ...changes,
  };
}
