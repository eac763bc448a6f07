/** Who may connect: counts that never leak. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Admission, type Ticket } from './admission.js';

test('names the limit that would be broken', () => {
  const admission = new Admission({ pendingConnections: 3, connectionsPerAddress: 2 });
  const first = admission.admit('a') as Ticket;
  admission.admit('a');
  expect(admission.admit('a')).toBe('connectionsPerAddress');
  admission.admit('b');
  expect(admission.admit('c')).toBe('pendingConnections');
  first.proved();
  expect(admission.admit('c')).toBeTypeOf('object');
  first.released();
  first.released();
  expect(admission.connections).toBe(3);
});

test('whatever the order, what is released is free again', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('admit', 'prove', 'release'), fc.nat(9)));
  fc.assert(
    fc.property(steps, (list) => {
      const admission = new Admission({ pendingConnections: 4, connectionsPerAddress: 3 });
      const tickets: Ticket[] = [];
      for (const [what, which] of list) {
        const ticket = tickets[which % (tickets.length || 1)];
        if (what === 'prove') ticket?.proved();
        else if (what === 'release') ticket?.released();
        else {
          const answer = admission.admit(`remote ${which % 3}`);
          if (typeof answer !== 'string') tickets.push(answer);
        }
      }
      for (const ticket of tickets) ticket.released();
      expect(admission.connections).toBe(0);
      const again = ['x', 'x', 'x', 'y'].map((remote) => typeof admission.admit(remote));
      expect(again).toEqual(['object', 'object', 'object', 'object']);
      expect(admission.admit('z')).toBe('pendingConnections');
    }),
  );
});
