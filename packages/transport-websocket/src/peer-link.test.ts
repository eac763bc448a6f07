/** One wanted address: when it is dialled, and when not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PeerLink } from './peer-link.js';

const limits = { reconnectMin: 100, reconnectMax: 3_000 };
const peer = 'ws://b:1#b';
const make = (): PeerLink => new PeerLink(limits);

describe('a wish', () => {
  test('is dialled at once, or after a courtesy', () => {
    expect(make().wanted(0)).toEqual({ do: 'dial' });
    expect(make().wanted(25)).toEqual({ do: 'wait', forMs: 25 });
  });

  test('is dialled ever more slowly while nobody answers', () => {
    const link = make();
    link.wanted(0);
    const pauses = [0, 1, 2, 3, 4, 5].map(() => {
      link.dial();
      return link.failed(1);
    });
    expect(pauses).toEqual(
      [200, 400, 800, 1_600, 3_000, 3_000].map((forMs) => ({ do: 'wait', forMs })),
    );
  });

  test('a link that lasted makes the next pause short again', () => {
    const link = make();
    link.wanted(0);
    for (let n = 0; n < 5; n += 1) {
      link.dial();
      link.failed(1);
    }
    link.dial();
    link.linked(peer, 0);
    expect(link.lost(3_000, 1)).toEqual({ do: 'wait', forMs: 200 });
  });

  test('a peer that lets us in and hangs up at once is dialled ever more slowly', () => {
    const link = make();
    link.wanted(0);
    const pauses = [0, 1, 2].map((n) => {
      link.dial();
      link.linked(peer, n);
      return link.lost(n, 1);
    });
    expect(pauses).toEqual([200, 400, 800].map((forMs) => ({ do: 'wait', forMs })));
  });

  test('a refusal ends it until it is wanted again', () => {
    const link = make();
    link.wanted(0);
    link.dial();
    link.refused();
    expect(link.dial()).toBe(false);
    expect(link.failed(0)).toBeUndefined();
    expect(link.wanted(0)).toEqual({ do: 'dial' });
  });

  test('an accepted link satisfies it, and a late timer does nothing', () => {
    const link = make();
    link.wanted(25);
    link.linked(peer, 0);
    expect(link.dial()).toBe(false);
    expect(link.state).toEqual({ kind: 'linked', peer });
  });

  test('a dial that fails after an accepted link came changes nothing', () => {
    const link = make();
    link.wanted(0);
    link.dial();
    link.linked(peer, 0);
    expect(link.failed(0)).toBeUndefined();
    link.refused();
    expect(link.state.kind).toBe('linked');
  });
});

test('whatever happens, a wish that is neither linked nor refused is waiting or being dialled', () => {
  const step = fc.constantFrom('dial', 'linked', 'failed', 'refused', 'lost', 'renewed', 'wanted');
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const link = make();
      link.wanted(0);
      for (const each of steps) {
        const { kind } = link.state;
        // Its owner reports a loss only of a link that was there.
        if (each === 'lost' && kind !== 'linked') continue;
        if (each === 'linked') link.linked(peer, 0);
        else if (each === 'lost') link.lost(0, 0);
        else if (each === 'wanted') link.wanted(0);
        else if (each === 'failed') link.failed(0);
        else link[each as 'dial' | 'refused' | 'renewed']();
        expect(link.state.kind).not.toBe('resting');
      }
    }),
  );
});
