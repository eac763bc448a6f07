import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DeadlineHeap } from './deadline-heap.js';

const moves = fc.array(
  fc.tuple(fc.constantFrom('set', 'delete', 'reset'), fc.nat(12), fc.nat(50)),
  { maxLength: 200 },
);

it('answers like a plain table that is searched', () => {
  fc.assert(
    fc.property(moves, (steps) => {
      const heap = new DeadlineHeap();
      const table = new Map<number, number>();
      for (const [move, member, atMs] of steps) {
        if (move === 'set') {
          heap.set(member, atMs);
          table.set(member, atMs);
        } else if (move === 'delete') {
          heap.delete(member);
          table.delete(member);
        } else {
          const anew = (id: number) => (id * 7 + atMs) % 31;
          heap.resetAll(anew);
          for (const id of table.keys()) table.set(id, anew(id));
        }
        expect(heap.size).toBe(table.size);
        expect(heap.firstAtMs).toBe(Math.min(...table.values()));
        if (table.size > 0) expect(table.get(heap.first as number)).toBe(heap.firstAtMs);
        else expect(heap.first).toBeUndefined();
      }
    }),
  );
});
