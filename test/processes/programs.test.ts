import { describe, expect } from 'vitest';
import { LONG, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import type { ProcessRun } from './process-run.testing.js';
import { BOUNDS, elapsed, until } from './until.testing.js';

const LADDER = ['joining', 'weaklyUp', 'up', 'leaving', 'exiting'];

interface Seen {
  readonly address?: string;
  readonly status?: string;
  /** A member whose stream has completed. */
  readonly gone?: string;
  readonly over?: true;
}

describe.concurrent('a program', LONG, () => {
  test('joins, follows every member by its own stream, and leaves', async ({ herd }) => {
    const [a, b, own] = (await herd.places(3)) as [Place, Place, Place];
    const first = herd.start(a, { seeds: [a] });
    await herd.formed([first]);
    const program = herd.program('member.mjs', own.address, a.address);
    const statuses = (of: Place) => (lines: readonly Seen[]) =>
      lines.flatMap(({ address, status }) => (address === of.address ? [status ?? ''] : []));
    const prints = (what: string, holds: (lines: readonly Seen[]) => boolean) =>
      until(what, BOUNDS.start, () => program.printed<Seen>(), holds);
    await prints('it is up', (lines) => statuses(own)(lines).at(-1) === 'up');
    const second = herd.start(b, { seeds: [a] });
    await prints('another is up', (lines) => statuses(b)(lines).at(-1) === 'up');
    const node = `${b.address}#${await second.uid()}`;
    second.signal('SIGTERM');
    const isGone = ({ gone }: Seen) => gone === node;
    const lines = await prints('that one is gone', (all) => all.some(isGone));
    const life = statuses(b)(lines);
    expect(life).toEqual(LADDER.filter((status) => life.includes(status)));
    expect(life.at(-1)).toBe('exiting');

    program.signal('SIGTERM');
    expect(await herd.exitOf(program, BOUNDS.left)).toBe(0);
    expect(program.printed<Seen>().at(-1)).toEqual({ over: true });
    await herd.formed([first]);
    expect(first.told('memberUnreachable')).toBe(false);
  });

  test('asks another, and learns when that one is gone', async ({ herd }) => {
    const [a, b, own] = (await herd.places(3)) as [Place, Place, Place];
    const rest = [a, b].map((place) => place.address);
    const first = herd.start(a, { seeds: [a], set: ['downing.stableAfter=1s'] });
    await herd.formed([first]);
    const answerer = herd.program('answerer.mjs', b.address, ...rest);
    await until(
      'it is up',
      BOUNDS.start,
      () => answerer.printed(),
      (lines) => lines.length > 0,
    );
    const asker = herd.program('asker.mjs', own.address, b.address, ...rest);
    const heard = (count: number) =>
      until(
        `line ${count}`,
        BOUNDS.removed,
        () => asker.printed<object>(),
        (all) => all.length >= count,
      );
    expect(await heard(3)).toEqual([
      { answer: '42' },
      { code: 'askFailed', message: 'no BigInt', remote: 'E_BODY' },
      { asking: true },
    ]);
    answerer.signal('SIGKILL');
    const [, , , lost, refused] = await heard(5);
    // The frame may have been under way, or waiting for a link, when the process died.
    expect(['memberGone', 'noLink']).toContain((lost as { code: string }).code);
    expect(['unknownMember', 'memberGone', 'noLink']).toContain((refused as { code: string }).code);
    expect(await herd.exitOf(asker, BOUNDS.left)).toBe(0);
  });

  test('routes a thousand asks a second around a worker that is killed', async ({ herd }) => {
    const [own, ...places] = (await herd.places(6)) as [Place, ...Place[]];
    const seeds = places.map(({ address }) => address);
    const workers = seeds.map((address) => herd.program('worker.mjs', address, ...seeds));
    const lost = seeds[2] as string;
    const router = herd.program('router.mjs', own.address, lost, ...seeds);
    const lines = (count: number, withinMs: number) =>
      until(
        `line ${count}`,
        withinMs,
        () => router.printed<object>(),
        (all) => all.length >= count,
      );
    await lines(1, BOUNDS.start + BOUNDS.form);
    // Time in which the detectors learn what is usual.
    await elapsed(5_000);
    router.signal('SIGUSR2');
    workers[2]?.signal('SIGKILL');
    const [, result] = await lines(2, BOUNDS.unreachable + BOUNDS.warm);
    const { asked, failures, ...at } = result as Routed;
    expect(asked).toBeGreaterThan(2_000);
    expect(failures.with).toEqual([]);
    expect(failures.without.length).toBeGreaterThan(0);
    expect(failures.without.filter(({ isLost }) => !isLost)).toEqual([]);
    expect(at.sentAfterAvoided).toBe(0);
    expect(at.convictedMs - at.avoidedMs).toBeGreaterThan(1_000);
    expect(await herd.exitOf(router, BOUNDS.left)).toBe(0);
  });

  test('sends and takes 2 MB messages while heartbeats come in time', async ({ herd }) => {
    const places = await herd.places(2);
    const seeds = places.map(({ address }) => address);
    const both = seeds.map((own) => herd.program('two-megabytes.mjs', own, ...seeds));
    for (const { sent, areWhole, highest, accused } of await Promise.all(both.map(exchanged))) {
      expect(sent).toBeGreaterThan(8);
      expect([areWhole, accused]).toEqual([true, []]);
      // A consumer that avoids suspicious members would still take this one.
      expect(highest).toBeLessThan(3);
    }
    for (const each of both) {
      each.signal('SIGTERM');
      expect(await herd.exitOf(each, BOUNDS.left)).toBe(0);
    }
  });
});

interface Routed {
  readonly asked: number;
  readonly failures: Readonly<Record<'with' | 'without', readonly { readonly isLost: boolean }[]>>;
  readonly sentAfterAvoided: number;
  readonly avoidedMs: number;
  readonly convictedMs: number;
}

interface Exchanged {
  readonly sent: number;
  readonly received: number;
  readonly areWhole: boolean;
  readonly highest: number;
  readonly accused: readonly string[];
}

async function exchanged(program: ProcessRun): Promise<Exchanged> {
  const look = () => program.printed<Exchanged>()[0];
  const result = await until('messages have crossed', BOUNDS.warm * 2, look, Boolean);
  return result as Exchanged;
}
