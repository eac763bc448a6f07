import type { IncomingMessage } from '@rollcall/core';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { key, settled } from './fake-cluster.testing.js';
import { createWorkers, type WorkersOptions } from './workers.js';

/** A node that hears what the test says, and notes what is answered. */
function node() {
  const messages$ = new Subject<IncomingMessage>();
  const answers: unknown[] = [];
  const tell = (body: unknown) => messages$.next({ kind: 'tell', from: key(2), body });
  const ask = (body: unknown) =>
    messages$.next({
      kind: 'ask',
      from: key(2),
      body,
      reply: async (value) => void answers.push(value),
      fail: async (error) => void answers.push((error as { code?: string }).code ?? error),
      refuse: async (error) => void answers.push(`refused: ${(error as { code?: string }).code}`),
    });
  return { messages$, answers, tell, ask };
}

/** Work that ends when the test says so. */
function atHand() {
  const open: { body: unknown; worker: number; end: (value?: unknown) => void }[] = [];
  const work: WorkersOptions['work'] = (body, worker) =>
    new Promise((resolve) => {
      open.push({ body, worker, end: resolve });
    });
  return { open, work };
}

describe('workers', () => {
  it('take one message each, and the next when they are done, in order', async () => {
    const { tell, messages$ } = node();
    const { open, work } = atHand();
    const workers = createWorkers({ messages$ }, { size: 2, work });
    for (const body of ['a', 'b', 'c', 'd']) tell(body);
    expect(open.map(({ body, worker }) => [body, worker])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect([workers.busy, workers.queued]).toEqual([2, 2]);
    open[1]?.end();
    await settled();
    expect(open.slice(2).map(({ body, worker }) => [body, worker])).toEqual([['c', 1]]);
    for (const { end } of open) end();
    await settled();
    open[3]?.end();
    await settled();
    expect([workers.busy, workers.queued]).toEqual([0, 0]);
  });

  it('answer an ask with what the work comes to, or fails with', async () => {
    const { ask, tell, messages$, answers } = node();
    const error = new RangeError('no');
    const work = (body: unknown): unknown => {
      if (body === 0) throw error;
      return Number(body) * 2;
    };
    const workers = createWorkers({ messages$ }, { work });
    ask(4);
    ask(0);
    tell(0);
    await settled();
    expect(answers).toEqual([8, error]);
    expect([workers.failed, workers.busy]).toEqual([2, 0]);
  });

  it('refuse an ask and drop a tell when the queue is full', async () => {
    const { ask, tell, messages$, answers } = node();
    const { work } = atHand();
    const workers = createWorkers({ messages$ }, { queueMax: 1, work });
    for (const body of [1, 2]) tell(body);
    ask(3);
    tell(4);
    await settled();
    expect(answers).toEqual(['refused: backPressure']);
    expect([workers.queued, workers.dropped]).toEqual([1, 1]);
  });

  it('take what is theirs, and nothing more once they are closed', async () => {
    const { tell, messages$ } = node();
    const done: unknown[] = [];
    const accepts = ({ body }: IncomingMessage) => typeof body === 'string';
    const work = (body: unknown) => void done.push(body);
    const workers = createWorkers({ messages$ }, { accepts, work });
    for (const body of ['mine', 7]) tell(body);
    workers.close();
    tell('late');
    await settled();
    expect(done).toEqual(['mine']);
    expect(messages$.observed).toBe(false);
  });

  it('lose and double nothing, whatever the sizes and however long each takes', async () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 40 }));
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.array(fc.nat(3), { maxLength: 40 }),
        async ([size, count], ends) => {
          const { tell, messages$ } = node();
          const { open, work } = atHand();
          createWorkers({ messages$ }, { size, work });
          for (let i = 0; i < count; i++) tell(i);
          for (const which of ends) {
            open[which]?.end();
            await Promise.resolve();
          }
          for (let i = 0; i <= count; i++) {
            for (const { end } of open) end();
            await settled();
          }
          expect(open.map(({ body }) => body).sort((a, b) => Number(a) - Number(b))).toEqual(
            Array.from({ length: count }, (_, i) => i),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each<[object, string]>([
    [{}, 'work takes a function from what was said to the answer, not undefined'],
    [{ work: () => 1, size: 0 }, 'size takes a whole number from 1 to 10000, not 0'],
    [{ work: () => 1, queue: 5 }, 'the nearest is queueMax'],
  ])('refuse %o', (given, said) => {
    expect(() => createWorkers({ messages$: new Subject() }, given as never)).toThrow(said);
  });
});
