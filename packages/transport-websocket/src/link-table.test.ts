/**
 * Two tables, one at each end, under every order in which the news of their connections can come:
 * whatever happens, both are left with one link, and with the same.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LinkFacts, LinkTable } from './link-table.js';

const lower = 'ws://a:1#a';
const higher = 'ws://b:1#b';

function facts(some: Partial<LinkFacts>): LinkFacts {
  return { id: 1, peerKey: higher, isDialled: true, startedMs: 0, openedMs: 1, ...some };
}

describe('which of two stays', () => {
  const crossed = {
    ours: facts({ id: 1, isDialled: true, startedMs: 0, openedMs: 5 }),
    theirs: facts({ id: 2, isDialled: false, startedMs: 2, openedMs: 6 }),
  };

  test('when both dial at once, the one that the lower key dialled', () => {
    const table = new LinkTable<LinkFacts>();
    expect(table.opened(lower, crossed.ours)).toMatchObject({ isFirst: true, losers: [] });
    const second = table.opened(lower, crossed.theirs);
    expect(second).toEqual({ isFirst: false, losers: [crossed.theirs], decides: true });
    expect(table.current(higher)).toBe(crossed.ours);
  });

  test('the higher key ranks them alike and leaves the closing to the other', () => {
    const table = new LinkTable<LinkFacts>();
    const ours = { ...crossed.ours, peerKey: lower };
    const theirs = { ...crossed.theirs, peerKey: lower };
    table.opened(higher, ours);
    expect(table.opened(higher, theirs)).toEqual({
      isFirst: false,
      losers: [ours],
      decides: false,
    });
    expect(table.current(lower)).toBe(theirs);
  });

  test('otherwise the newer: a peer that still had a link would not have dialled', () => {
    const table = new LinkTable<LinkFacts>();
    const old = facts({ id: 1, isDialled: true, startedMs: 0, openedMs: 5 });
    const fresh = facts({ id: 2, isDialled: false, startedMs: 9, openedMs: 12 });
    table.opened(lower, old);
    expect(table.opened(lower, fresh).losers).toEqual([old]);
    expect(table.current(higher)).toBe(fresh);
  });
});

test('one that is closed is told as the last only once', () => {
  const table = new LinkTable<LinkFacts>();
  const link = facts({});
  table.opened(lower, link);
  expect([table.closed(link), table.closed(link)]).toEqual([true, false]);
  expect([...table.peers()]).toEqual([]);
});

type Side = 'lower' | 'higher';
const other = (side: Side): Side => (side === 'lower' ? 'higher' : 'lower');

interface Wire {
  readonly id: number;
  readonly dialer: Side;
  stage: 'dialled' | 'accepted' | 'proving' | 'over';
  /** What each end has yet to hear, in order. */
  readonly news: Record<Side, ('welcome' | 'close')[]>;
  readonly started: Record<Side, number>;
  readonly link: Partial<Record<Side, LinkFacts>>;
  isDead: boolean;
}

/** Two nodes and the connections between them, moved one step at a time by whoever plays it. */
class Pair {
  readonly tables = { lower: new LinkTable<LinkFacts>(), higher: new LinkTable<LinkFacts>() };
  readonly wires: Wire[] = [];
  #nowMs = 0;

  /** A node dials only while it has no link and no other dial under way. */
  dial(side: Side): void {
    const isBusy = this.wires.some((w) => w.dialer === side && w.stage !== 'over');
    if (isBusy || this.current(side)) return;
    this.wires.push({
      id: this.wires.length,
      dialer: side,
      stage: 'dialled',
      news: { lower: [], higher: [] },
      started: { lower: this.#tick(), higher: this.#nowMs },
      link: {},
      isDead: false,
    });
  }

  current(side: Side): LinkFacts | undefined {
    return this.tables[side].current(side === 'lower' ? higher : lower);
  }

  /** Whatever this connection can do next. False when there is nothing. */
  step(wire: Wire): boolean {
    const { dialer } = wire;
    const acceptor = other(dialer);
    if (wire.stage === 'dialled') {
      wire.started[acceptor] = this.#tick();
      wire.stage = 'accepted';
    } else if (wire.stage === 'accepted') {
      // The hello is back: a dialer that has a link by now goes no further.
      wire.stage = this.current(dialer) ? 'over' : 'proving';
    } else if (wire.stage === 'proving' && !wire.link[acceptor]) {
      wire.news[dialer].push('welcome');
      this.#open(wire, acceptor);
    } else return this.#hear(wire, dialer) || this.#hear(wire, acceptor);
    return true;
  }

  /** One end loses a connection without the other hearing of it. */
  cut(side: Side): void {
    const id = this.current(side)?.id;
    const wire = this.wires.find((w) => w.id === id);
    const link = wire?.link[side];
    if (!wire || !link) return;
    this.tables[side].closed(link);
    wire.isDead = true;
    // A handshake that hears nothing more runs into its time limit.
    wire.stage = 'over';
  }

  /** The patience of an end that left closing to the other is over: it closes the loser itself, and says so on it. */
  outlive(): void {
    for (const side of ['lower', 'higher'] as const) {
      for (const link of this.tables[side].links()) {
        if (link === this.current(side)) continue;
        this.tables[side].closed(link);
        this.wires[link.id]?.news[other(side)].push('close');
      }
    }
  }

  #hear(wire: Wire, side: Side): boolean {
    if (wire.isDead) return false;
    const news = wire.news[side].shift();
    if (news === 'welcome') this.#open(wire, side);
    else if (news === 'close' && wire.link[side]) this.tables[side].closed(wire.link[side]);
    if (news) wire.stage = wire.link[wire.dialer] ? 'over' : wire.stage;
    return news !== undefined;
  }

  #open(wire: Wire, side: Side): void {
    const link: LinkFacts = {
      id: wire.id,
      peerKey: side === 'lower' ? higher : lower,
      isDialled: wire.dialer === side,
      startedMs: wire.started[side],
      openedMs: this.#tick(),
    };
    wire.link[side] = link;
    const self = side === 'lower' ? lower : higher;
    const { losers, decides } = this.tables[side].opened(self, link);
    if (!decides) return;
    for (const loser of losers) {
      this.tables[side].closed(loser);
      this.wires[loser.id]?.news[other(side)].push('close');
    }
  }

  #tick(): number {
    this.#nowMs += 1;
    return this.#nowMs;
  }
}

type Move =
  | { readonly kind: 'dial' | 'cut'; readonly side: Side }
  | { readonly kind: 'step'; readonly which: number };

const side = fc.constantFrom<Side>('lower', 'higher');
const dialOrStep: fc.Arbitrary<Move> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dial' as const), side }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('step' as const), which: fc.nat(9) }) },
);
const cut: fc.Arbitrary<Move> = fc.record({ kind: fc.constant('cut' as const), side });

function play(moves: readonly Move[]): Pair {
  const pair = new Pair();
  for (const move of moves) {
    if (move.kind === 'dial') pair.dial(move.side);
    else if (move.kind === 'cut') pair.cut(move.side);
    else if (move.kind === 'step') {
      const wire = pair.wires[move.which % (pair.wires.length || 1)];
      if (wire) pair.step(wire);
    }
  }
  return pair;
}

/** Everything under way arrives, and whoever has no link dials, until nothing happens any more. */
function settle(pair: Pair): void {
  for (let round = 0; round < 20; round += 1) {
    pair.dial('lower');
    pair.dial('higher');
    while (pair.wires.some((wire) => pair.step(wire)));
    pair.outlive();
  }
}

describe('both ends come to the same single link', () => {
  test('in whatever order they dial and hear', () => {
    fc.assert(
      fc.property(fc.array(dialOrStep, { maxLength: 60 }), (moves) => {
        const pair = play(moves);
        settle(pair);
        expect(pair.current('lower')?.id).toBe(pair.current('higher')?.id);
        expect(pair.tables.lower.links()).toHaveLength(1);
        expect(pair.tables.higher.links()).toHaveLength(1);
      }),
      { numRuns: 5_000 },
    );
  });

  test('and neither is ever without one once both have had it', () => {
    fc.assert(
      fc.property(fc.array(dialOrStep, { maxLength: 60 }), (moves) => {
        const pair = play(moves);
        let had = false;
        for (let n = 0; n < 200; n += 1) {
          const has = pair.current('lower') !== undefined && pair.current('higher') !== undefined;
          if (had) expect(has).toBe(true);
          had = had || has;
          if (!pair.wires.some((wire) => pair.step(wire))) break;
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('also when one end loses its connection and the other does not hear of it', () => {
    const moves = fc.array(
      fc.oneof({ weight: 8, arbitrary: dialOrStep }, { weight: 1, arbitrary: cut }),
      {
        maxLength: 80,
      },
    );
    // Two dials cross, and of the two links the end that chooses loses the better one: the other must not keep it.
    const crossed: Move[] = [
      { kind: 'dial', side: 'higher' },
      { kind: 'step', which: 0 },
      { kind: 'dial', side: 'lower' },
      ...[1, 0, 1, 1, 1].map((which): Move => ({ kind: 'step', which })),
      { kind: 'cut', side: 'lower' },
    ];
    fc.assert(
      fc.property(moves, (list) => {
        const pair = play(list);
        settle(pair);
        const [a, b] = [pair.current('lower'), pair.current('higher')];
        expect(a?.id).toBe(b?.id);
        expect(pair.wires[a?.id ?? -1]?.isDead).toBe(false);
      }),
      { numRuns: 5_000, examples: [[crossed]] },
    );
  });
});
