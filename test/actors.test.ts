/** Actors at other nodes, over production nodes under virtual time: what arrives, and what no actor took. */
import { createActors, type DeadLetter } from '@rollcall/routing';
import { describe, expect, test } from 'vitest';
import { formed, outcome, Shelf } from './actor-places.testing.js';

describe('actors at other nodes', () => {
  test('are told in order, answer, and fail with what they threw', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const ref = { node: there.key, path: 'a' };
    for (let i = 0; i < 20; i++) void here.actors.tell(ref, i);
    expect(await outcome(simulation, here.actors.ask(ref, 'how many'))).toBe(20);
    expect(there.shelf.kept.get('a')).toEqual(Array.from({ length: 20 }, (_, i) => i));
    const failure = (path: string, message: unknown) =>
      outcome(simulation, here.actors.ask({ node: there.key, path }, message)).catch(
        (error: unknown) => error,
      );
    const askFailed = { code: 'askFailed' };
    expect(await failure('a', 'throw')).toMatchObject({ ...askFailed, message: 'it threw' });
    expect(await failure('a', 'large')).toMatchObject({ data: { code: 'tooLarge' } });
    expect(await failure('b', 1)).toMatchObject({ ...askFailed, data: { code: 'noActor' } });
    expect(await failure('elsewhere', 1)).toMatchObject({
      ...askFailed,
      message: 'it is elsewhere',
    });
  });

  test('that took nothing leave a dead letter at their node', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const dead: DeadLetter[] = [];
    there.actors.deadLetters$.subscribe((letter) => dead.push(letter));
    void here.actors.tell({ node: there.key, path: 'b' }, 'lost');
    void here.actors.tell({ node: there.key, path: 'a' }, 'throw');
    await simulation.run(1_000);
    expect(dead).toMatchObject([
      { from: here.key, path: 'b', message: 'lost', error: { code: 'noActor' } },
      { from: here.key, path: 'a', message: 'throw', error: { message: 'it threw' } },
    ]);
  });

  test('of systems with other names, and other messages, are left alone', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const other = new Shelf();
    other.add('a');
    const { cluster } = simulation.node('o');
    createActors(cluster, other, { name: 'other' });
    const bodies: unknown[] = [];
    cluster.messages$.subscribe(({ body }) => bodies.push(body));
    void simulation.node('n').cluster.tell(there.key, ['rollcall.actors.main', 'deliver']);
    await outcome(simulation, here.actors.tell({ node: there.key, path: 'a' }, 1));
    expect([there.shelf.kept.get('a'), other.kept.get('a')]).toEqual([[1], []]);
    expect(bodies).toHaveLength(2);
  });
});

test('what cannot be used is named', async () => {
  const {
    simulation,
    places: [here],
  } = await formed(['n']);
  const { cluster } = simulation.node('n');
  expect(() => createActors(cluster, {} as never)).toThrow('bridge takes an object with resolve()');
  expect(() => createActors(cluster, here.shelf, { watchMs: 0 })).toThrow('watchMs takes');
  expect(() => here.actors.terminated$('a' as never)).toThrow('ref takes a reference');
  await expect(here.actors.tell({ path: 'a' } as never, 1)).rejects.toThrow('ref takes');
  const byAddress = { node: cluster.self.address, path: 'a' };
  await expect(here.actors.ask(byAddress, 1)).rejects.toThrow('ref takes a reference');
});
