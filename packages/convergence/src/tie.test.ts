/** lease-majority: Akka's table, and that the lease decides ties and nothing else. */
import { describe, expect, test } from 'vitest';
import { Cluster, keyOf } from './cluster.testing.js';
import {
  configurationId,
  contenders,
  decide,
  defaultRules,
  holdLease,
  isCutOff,
  quorate,
  type Replica,
  type Rules,
  replicaOf,
  settle,
  ties,
} from './index.js';
import { type Grantee, grant, part } from './parting.testing.js';
import { namesOf, parse, setOf } from './table.testing.js';

const rules: Rules = { ...defaultRules, observers: 1, strategy: 'lease-majority' };
const up = (names: string): string => [...names].map((name, i) => `${name}:Up${i + 1}`).join(' ');
const idOf = (names: string) =>
  configurationId(parse(up('ABCDEFG')).members.filter(({ key }) => setOf(names).has(key)));

test.each<[name: string, views: string | readonly string[], cut: string, Grantee, stay: string]>([
  ['a tie, granted to the half of the lowest address', up('ABCD'), 'AB|CD', 'A', 'AB'],
  ['the reverse: granted to the other half', up('ABCD'), 'AB|CD', 'D', 'CD'],
  ['whoever of a half is granted it', up('ABCD'), 'AB|CD', 'B', 'AB'],
  ['denied to both (Akka: both go): none', up('ABCD'), 'AB|CD', null, ''],
  ['two members: the one it is granted to', up('AB'), 'A|B', 'B', 'B'],
  ['two members, the lower crashed: the other', up('AB'), 'B', 'B', 'B'],
  ['two members, the higher crashed: the other', up('AB'), 'A', 'A', 'A'],
  ['a majority asks nobody (Akka: it asks first)', up('ABCDE'), 'AB|CDE', null, 'CDE'],
  ['a minority is not helped (Akka: it asks after 2 s)', up('ABCDE'), 'AB|CDE', 'A', 'CDE'],
  ['three parts, none a half: none, whoever is granted it', up('ABCDE'), 'AB|CD|E', 'A', ''],
  ['three parts, one of them a half: it', up('ABCD'), 'AB|C|D', 'B', 'AB'],
  [
    'indirectly connected: one end goes, the others are three of four',
    'A:Up1>B B:Up2>A C:Up3 D:Up4',
    'ABCD',
    null,
    'ACD',
  ],
  ['indirectly connected, and a half then', 'A:Up1>B B:Up2>A C:Up3 D:Up4', 'ABC', 'C', 'AC'],
  [
    'what is held against one that is Down is ignored',
    'A:Up1>D B:Up2 C:Up3 D:Down4',
    'ABC',
    null,
    'ABC',
  ],
  ['one that is Down counts until it is removed', 'A:Up1 B:Up2 C:Up3 D:Down4', 'AB', 'A', 'AB'],
  ['one that has exited does not', 'A:Up1 B:Up2 C:Up3 D:Exited4', 'AB', null, 'AB'],
  [
    'joining members do not count, and go with their half',
    'A:Up1 B:Up2 C:Joining D:Joining',
    'AC|BD',
    'B',
    'BD',
  ],
  ['a joiner that was granted it breaks no tie', 'A:Up1 B:Up2 C:Joining', 'AC|B', 'C', ''],
  [
    'E and F up on the left, joining on the right: a tie before the promotion, as both see it; right has it',
    [`${up('ABCD')} E:Up9 F:Up9 @9`, `${up('ABCD')} E:Joining F:Joining @8`],
    'ABEF|CD',
    'C',
    'CD',
  ],
  [
    'the same, left has it',
    [`${up('ABCD')} E:Up9 F:Up9 @9`, `${up('ABCD')} E:Joining F:Joining @8`],
    'ABEF|CD',
    'A',
    'ABEF',
  ],
])('%s', (_, views, cut, grantee, stay) => {
  expect(part(views, cut, rules, grantee).stay).toBe(stay);
});

describe('a tie', () => {
  const state = parse('A:Up1>C,D B:Up2>C,D C:Up3 D:Up4');

  test('is nobody to win before the lease has spoken', () => {
    expect(quorate(state, setOf('AB'), rules)).toBe(false);
    expect(decide(state, rules)).toBeNull();
    expect(namesOf(contenders(state, rules) ?? [])).toBe('AB');
    expect(contenders(state, { ...rules, strategy: 'keep-majority' })).toBeNull();
  });

  test('is no reason to be cut off, as a minority is', () => {
    const own = setOf('CD');
    expect(isCutOff(state, 'A#1', own, rules)).toBe(false);
    expect(isCutOff(state, 'A#1', setOf('BCD'), rules)).toBe(true);
  });

  test('is broken for the half that has the grantee, by the row of the grantee alone', () => {
    const granted = grant(state, 'B#1', [idOf('ABCD')]);
    expect(quorate(granted, setOf('AB'), rules)).toBe(true);
    expect(quorate(granted, setOf('BC'), rules)).toBe(true);
    expect(quorate(granted, setOf('CD'), rules)).toBe(false);
    expect(quorate(granted, setOf('AC'), rules)).toBe(false);
    expect(namesOf(decide(granted, rules) ?? [])).toBe('AB');
    expect(contenders(granted, rules)).toBeNull();
  });

  test('is broken for one configuration, not for the next', () => {
    const other = grant(state, 'B#1', [idOf('ABCDE')]);
    expect(quorate(other, setOf('AB'), rules)).toBe(false);
    const held = grant(parse('A:Up1 B:Up2 C:Up3 D:Exited4 E:Exited5'), 'B#1', [idOf('ABCD')]);
    expect(quorate(held, setOf('B'), rules)).toBe(false);
  });

  test('in both configurations asks the lease for both', () => {
    const young = parse('A:Up1 B:Up2 C:Up9 D:Up9 @9');
    const asked = ties(young, setOf('AC'), rules);
    expect(asked.map(({ id }) => id)).toEqual([idOf('ABCD'), idOf('AB')]);
    expect(asked.map(({ voters }) => voters.length)).toEqual([4, 2]);
    const one = grant(young, 'A#1', [idOf('AB')]);
    expect(quorate(one, setOf('AC'), rules)).toBe(false);
    expect(ties(one, setOf('AC'), rules).map(({ id }) => id)).toEqual([idOf('ABCD')]);
    const both = grant(young, 'A#1', [idOf('AB'), idOf('ABCD')]);
    expect(quorate(both, setOf('AC'), rules)).toBe(true);
    expect(ties(young, setOf('CD'), rules)).toEqual([]);
  });
});

describe('a grant', () => {
  const asReplica = (line: string): Replica => replicaOf('A#1', parse(line));
  const leasesOf = (r: Replica) => r.state.get(r.self)?.row.leases;

  test('is written into the own row, once, and survives what else is written there', () => {
    const r = asReplica(up('AB'));
    const held = holdLease(r, idOf('AB'), rules);
    expect(leasesOf(held)).toEqual([idOf('AB')]);
    expect(held.state.get('A#1')?.row.version).toBe(1);
    expect(held.state.digest).not.toBe(r.state.digest);
    expect(held.seen.count).toBe(1);
    expect(holdLease(held, idOf('AB'), rules)).toBe(held);
  });

  test('of another configuration, or to one that has no say, is not taken', () => {
    expect(leasesOf(holdLease(asReplica(up('AB')), idOf('ABC'), rules))).toBeUndefined();
    for (const phase of ['introducing', 'exited', 'stopped'] as const) {
      const r = { ...asReplica(up('AB')), phase };
      expect(holdLease(r, idOf('AB'), rules)).toBe(r);
    }
    const down = asReplica('A:Down1 B:Up2');
    expect(holdLease(down, idOf('AB'), rules)).toBe(down);
  });

  test('of a configuration that is past is dropped with the next', () => {
    const first = holdLease(asReplica(up('ABC')), idOf('ABC'), rules);
    const shrunk = {
      ...first,
      state: first.state.with({ ...memberOf(first, 'C#1'), status: 'Exited' }),
    };
    expect(leasesOf(holdLease(shrunk, idOf('AB'), rules))).toEqual([idOf('AB')]);
  });

  const memberOf = ({ state }: Replica, key: string) => {
    const member = state.get(key);
    if (!member) throw new Error(`no ${key}`);
    return member;
  };

  test('lets its half remove the other', () => {
    const split = parse('A:Up1 B:Down2');
    const alone = replicaOf('A#1', split);
    expect(settle(alone, rules).fired).toEqual([]);
    const { fired, replica } = settle(holdLease(alone, idOf('AB'), rules), rules);
    expect(fired).toHaveLength(1);
    expect(replica.state.removed).toEqual(['B#1']);
  });
});

test('a lease that grants one tie twice splits the cluster: this is why it never forgets', () => {
  const cluster = new Cluster(['A', 'B'], rules);
  const granted = (name: string) => cluster.change(name, (r) => holdLease(r, idOf('AB'), rules));
  granted('A');
  cluster.down('A', 'B');
  expect(cluster.fire('A')).toBe(true);
  cluster.down('B', 'A');
  expect(cluster.fire('B')).toBe(false);
  cluster.check();
  granted('B');
  expect(cluster.fire('B')).toBe(true);
  expect(() => cluster.check()).toThrow('I6a');
  expect(cluster.replica('A').state.has(keyOf('B'))).toBe(false);
});
