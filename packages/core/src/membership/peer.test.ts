import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Peer } from './peer.js';

const INTERVAL_MS = 1_000;

/** Both ends of one link: each notes the other. `aMs` and `bMs` is when each sends, in each interval. */
function exchange(
  { aMs, bMs, latencyMs = 1 }: { aMs: number; bMs: number; latencyMs?: number },
  {
    beats,
    isCut,
  }: { beats: number; isCut: (direction: 'a to b' | 'b to a', beat: number) => boolean },
) {
  const notes = { a: new Peer('ws://b:1#b'), b: new Peer('ws://a:1#a') };
  const signs = { a: [] as boolean[], b: [] as boolean[] };
  const happenings: { atMs: number; run: () => void }[] = [];
  const beat = (from: 'a' | 'b', to: 'a' | 'b', number: number, atMs: number) => {
    happenings.push({
      atMs,
      run: () => {
        const frame = [notes[from].sending(atMs), notes[from].seqIn] as const;
        if (isCut(from === 'a' ? 'a to b' : 'b to a', number)) return;
        const arrivalMs = atMs + latencyMs;
        const run = () => signs[to].push(notes[to].acceptBeat(...frame, arrivalMs, INTERVAL_MS));
        happenings.push({ atMs: arrivalMs, run });
      },
    });
  };
  for (let number = 0; number < beats; number++) {
    beat('a', 'b', number, number * INTERVAL_MS + aMs);
    beat('b', 'a', number, number * INTERVAL_MS + bMs);
  }
  for (let now = 0; happenings.length > 0; now++) {
    happenings.sort((one, other) => one.atMs - other.atMs);
    happenings.shift()?.run();
    if (now > 10_000) throw new Error('does not end');
  }
  return signs;
}

const never = () => false;

describe('a heartbeat that arrives', () => {
  it('is a sign of life on a link that carries both ways', () => {
    const signs = exchange({ aMs: 100, bMs: 600 }, { beats: 20, isCut: never });
    expect(signs.a).toEqual(Array(20).fill(true));
    expect(signs.b).toEqual(Array(20).fill(true));
  });

  it('is one whatever the phase of the two timers and the latency between them', () => {
    const phase = fc.nat(INTERVAL_MS - 1);
    fc.assert(
      fc.property(phase, phase, fc.integer({ min: 1, max: 240 }), (aMs, bMs, latencyMs) => {
        const signs = exchange({ aMs, bMs, latencyMs }, { beats: 12, isCut: never });
        expect([...signs.a, ...signs.b].every(Boolean)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is missed once at most when a single frame of the other direction was lost', () => {
    const isCut = (direction: string, beat: number) => direction === 'a to b' && beat === 8;
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), (aMs, bMs) => {
        const signs = exchange({ aMs, bMs }, { beats: 20, isCut });
        expect(signs.a.filter((isSign) => !isSign).length).toBeLessThanOrEqual(1);
        expect(signs.a.slice(11)).toEqual(Array(9).fill(true));
      }),
      // The answer leaves at the very moment at which the frame after the lost one arrives.
      { examples: [[999, 0]] },
    );
  });

  it('is none soon after the sender ceased to hear: a one-way cut shows at both ends', () => {
    const isCut = (direction: string, beat: number) => direction === 'a to b' && beat >= 10;
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), (aMs, bMs) => {
        const signs = exchange({ aMs, bMs }, { beats: 30, isCut });
        expect(signs.b).toEqual(Array(10).fill(true));
        expect(signs.a).toHaveLength(30);
        expect(signs.a.indexOf(false)).toBeGreaterThanOrEqual(11);
        expect(signs.a.indexOf(false)).toBeLessThanOrEqual(12);
        expect(signs.a.slice(12)).toEqual(Array(18).fill(false));
      }),
    );
  });

  it('is one again as soon as the sender hears again', () => {
    const isCut = (direction: string, beat: number) =>
      direction === 'a to b' && beat >= 10 && beat < 20;
    const signs = exchange({ aMs: 0, bMs: 500 }, { beats: 30, isCut });
    expect(signs.a.slice(12, 20)).toEqual(Array(8).fill(false));
    expect(signs.a.slice(20)).toEqual(Array(10).fill(true));
  });

  it('is none the second time, or when a newer one came first', () => {
    const peer = new Peer('ws://b:1#b');
    expect(peer.acceptBeat(5, 0, 0, INTERVAL_MS)).toBe(true);
    expect(peer.acceptBeat(5, 0, 1, INTERVAL_MS)).toBe(false);
    expect(peer.acceptBeat(4, 0, 2, INTERVAL_MS)).toBe(false);
    expect(peer.acceptBeat(6, 0, 3, INTERVAL_MS)).toBe(true);
    expect(peer.seqIn).toBe(6);
  });

  it('takes up numbers that are out of line when the next one follows, and a single wrong one is forgotten', () => {
    const taken = (...seqs: number[]) => {
      const peer = new Peer('ws://b:1#b');
      return seqs.map((seq, i) => {
        const lost = peer.lostBefore(seq);
        return peer.acceptBeat(seq, 0, i, INTERVAL_MS) ? lost : undefined;
      });
    };
    const forged = Number.MAX_SAFE_INTEGER;
    const none = undefined;
    expect(taken(10, 11, forged, 12, 14)).toEqual([0, 0, none, 0, 1]);
    // Two in a row are believed, and so are those that go on.
    expect(taken(10, forged - 1, forged, 11, 12, 13)).toEqual([0, none, -1, none, -1, 0]);
    // As the very first.
    expect(taken(forged, 11, 12, 13)).toEqual([0, none, -1, 0]);
    expect(taken(10, 3_600, 3_602)).toEqual([0, 3_589, 1]);
  });

  it('cannot echo what was never sent', () => {
    const peer = new Peer('ws://b:1#b');
    for (const atMs of [0, 1_000, 2_000]) peer.sending(atMs);
    expect(peer.acceptBeat(1, 99, 2_001, INTERVAL_MS)).toBe(false);
    expect(peer.echoed).toBe(0);
  });
});

describe('the notes on a peer', () => {
  it('drop what was sent when the link is lost, as it may not have arrived', () => {
    const peer = new Peer('ws://b:1#b');
    Object.assign(peer, { linked: true, holds: 'd', told: 'd' });
    peer.unlinked();
    expect(peer).toMatchObject({
      linked: false,
      holds: undefined,
      told: undefined,
      seen: undefined,
    });
    expect(peer.address).toBe('ws://b:1');
  });
});
