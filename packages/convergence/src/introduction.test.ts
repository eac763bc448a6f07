import { expect, test } from 'vitest';
import { introduce, type Member, receive, Seen } from './index.js';
import { parse } from './table.testing.js';

const me = { key: 'C#1', roles: ['w'], appVersion: '2' };
const acceptor = parse('A:Up1 B:Up2 @5');

test('a newcomer enters itself into its own copy, which only it has seen', () => {
  const r = introduce(acceptor, me);
  expect([r.self, r.phase, r.seen.count]).toEqual(['C#1', 'introducing', 1]);
  expect(r.state.get('C#1')).toMatchObject({ ...me, status: 'Joining', upNumber: null });
  expect(r.state.epoch).toBe(acceptor.epoch);
  expect(acceptor.has('C#1')).toBe(false);
});

test('it is a member once somebody lists it', () => {
  const r = introduce(acceptor, me);
  const listing = acceptor.with({ ...(r.state.get('C#1') as Member) });
  const arrived = receive(r, listing, Seen.only(listing, 'A#1'));
  expect(arrived.phase).toBe('member');
  expect(arrived.seen.count).toBe(2);
});

test('a run that was removed never comes back', () => {
  expect(() => introduce(parse('A:Up1 @5 -C'), me)).toThrow('stays removed');
});
