/** The page of `examples/routed-workers` as a browser has it: files, a stream of what happens, and a kill. No browser is needed. */
import { createServer } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { type Herd, LONG, test } from './herd.testing.js';
import type { ProcessRun } from './process-run.testing.js';
import { BOUNDS, until } from './until.testing.js';

/** As far as the test goes by it; the whole is `examples/routed-workers/page/news.ts`. */
interface News {
  readonly type: 'now' | 'sample' | 'mark' | 'end';
  readonly sample?: { readonly atMs: number; readonly answered: readonly number[] };
  readonly mark?: Mark;
  readonly today?: {
    readonly workers: readonly { readonly name: string; readonly pid: number }[];
    readonly withRetries: { readonly asked: number; readonly failed: number };
  };
}

interface Mark {
  readonly atMs: number;
  readonly kind: string;
  readonly worker: string;
  readonly afterMs?: number;
}

async function opened(herd: Herd): Promise<{ run: ProcessRun; url: string }> {
  const run = herd.example('routed-workers', '--page', '0');
  const look = () => /http:\/\/127\.0\.0\.1:\d+\//.exec(run.out)?.[0] ?? '';
  const url = await until('it says where its page is', BOUNDS.start, look, (text) => text !== '');
  return { run, url };
}

/** What the stream at `url` has brought so far; ends with the stream. */
function follow(url: string): { readonly news: readonly News[]; readonly ended: Promise<void> } {
  const news: News[] = [];
  const read = async () => {
    const { body, headers } = await fetch(`${url}events`);
    expect(headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = `${text}${chunk}`.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) news.push(JSON.parse(part.replace(/^data: /, '')));
    }
  };
  return { news, ended: read() };
}

const marksIn = (news: readonly News[]): readonly Mark[] =>
  news.flatMap(({ mark }) => (mark === undefined ? [] : [mark]));
const samplesBetween = (news: readonly News[], fromMs: number, toMs: number) =>
  news.flatMap(({ sample }) =>
    sample !== undefined && sample.atMs > fromMs && sample.atMs <= toMs ? [sample.answered] : [],
  );
const total = (samples: readonly (readonly number[])[]): readonly number[] =>
  (samples[0] ?? []).map((_, i) => samples.reduce((sum, answered) => sum + (answered[i] ?? 0), 0));

describe.concurrent('the page of routed-workers', LONG, () => {
  test('shows that the others take the share of a killed worker, and no ask fails', async ({
    herd,
  }) => {
    const { run, url } = await opened(herd);
    const { news, ended } = follow(url);
    const see = (what: string, withinMs: number, holds: (all: readonly News[]) => boolean) =>
      until(
        what,
        withinMs,
        () => news,
        holds,
        (all) => JSON.stringify(all.at(-1)),
      );
    const count = (all: readonly News[]) => all.filter(({ type }) => type === 'sample').length;
    await see('shares of all five', BOUNDS.soon, (all) => count(all) >= 4);
    expect(news[0]?.type).toBe('now');

    const killed = await fetch(`${url}kill`, { method: 'POST' });
    expect([killed.status, await killed.text()]).toEqual([200, 'cid is killed.\n']);
    const again = await fetch(`${url}kill`, { method: 'POST' });
    expect(again.status, 'one at a time').toBe(409);
    const happened = (kind: string) => (all: readonly News[]) =>
      marksIn(all).some(
        ({ kind: of, worker, afterMs }) => of === kind && worker === 'cid' && afterMs,
      );
    await see('cid is removed', BOUNDS.unreachable + BOUNDS.removed, happened('removed'));
    await see('another cid answers', BOUNDS.start + BOUNDS.form, happened('back'));
    const before = count(news);
    await see('shares of all five again', BOUNDS.soon, (all) => count(all) >= before + 4);

    // What a busy machine makes it suspect meanwhile is not of this kill.
    const ofKill = marksIn(news).filter(({ kind, afterMs }) => kind === 'killed' || afterMs);
    expect(new Set(ofKill.map(({ worker }) => worker))).toEqual(new Set(['cid']));
    const kinds = ofKill.map(({ kind }) => kind);
    const atMs = (kind: string) => ofKill.find((mark) => mark.kind === kind)?.atMs ?? 0;
    expect(kinds).toEqual(['killed', 'avoided', 'unreachable', 'removed', 'back']);
    const first = total(samplesBetween(news, 0, atMs('killed')));
    for (const worker of [0, 1, 2, 3, 4]) expect(first[worker]).toBeGreaterThan(0);
    // Samples are half a second apart: the first one after a mark is of before it, too.
    const shifted = total(samplesBetween(news, atMs('avoided') + 500, atMs('removed')));
    expect(shifted[2], 'cid').toBe(0);
    for (const other of [0, 1, 3, 4]) expect(shifted[other]).toBeGreaterThan(0);
    const back = total(samplesBetween(news, atMs('back'), Number.POSITIVE_INFINITY));
    expect(back[2], 'the new cid').toBeGreaterThan(0);
    const pids = (all: readonly News[]) =>
      all.flatMap(({ today }) => today?.workers.find(({ name }) => name === 'cid')?.pid ?? []);
    expect(new Set(pids(news)).size, 'processes called cid').toBe(2);

    run.signal('SIGINT');
    expect(await herd.exitOf(run, BOUNDS.start), run.err).toBe(0);
    await ended;
    expect(news.at(-1)?.type).toBe('end');
    const last = news.findLast(({ today }) => today !== undefined)?.today;
    expect(last?.withRetries.asked).toBeGreaterThan(1_000);
    expect(last?.withRetries.failed).toBe(0);
    expect(run.out).toMatch(/^with retries: +\d+ asks, 0 failed$/m);
  });

  test('is whole without a network, and nobody else’s page may kill', async ({ herd }) => {
    const { url } = await opened(herd);
    const found = async (path: string) => {
      const response = await fetch(new URL(path, url));
      return { status: response.status, text: await response.text() };
    };
    const { text } = await found('/');
    expect(text).toContain('<h1>Kill a worker: no ask is lost</h1>');
    const linked = [...text.matchAll(/(?:src|href)="(\/[\w./]+)"/g)];
    const paths = linked.map(([, path = '']) => path);
    expect(paths).toContain('/page/show.js');
    const script = await found('/page/show.js');
    const imported = [...script.text.matchAll(/from '\.(\/\w+\.js)'/g)];
    paths.push(...imported.map(([, path = '']) => `/page${path}`), '/uplot.js');
    for (const path of paths) expect((await found(path)).status, path).toBe(200);
    expect(text).not.toMatch(/https?:/);

    const headers = { origin: 'http://elsewhere.example' };
    const foreign = await fetch(`${url}kill`, { method: 'POST', headers });
    expect(foreign.status).toBe(403);
    expect((await found('/nothing')).status).toBe(404);
  });

  test('names the flag, and the way out, when the port cannot be used', async ({ herd }) => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await new Promise<string>((listening) => {
      server.listen(0, '127.0.0.1', () =>
        listening(`${(server.address() as { readonly port: number }).port}`),
      );
    });
    const said = [
      [['--page', 'abc'], /^--page abc: that is no port\. There is --page \[port\], .*\n$/],
      [['--page', '65536'], /^--page 65536: that is no port\./],
      [['--pge'], /^--pge is not an argument of this example\. There is --page \[port\]/],
      [['--page', '0', '1'], /^--page takes one port, and then came 1\./],
      [['--page', port], /^--page \d+: .* something else listens there\. .*--page 0\.\n$/],
    ] as const;
    for (const [args, message] of said) {
      const run = herd.example('routed-workers', ...args);
      expect(await herd.exitOf(run, BOUNDS.start)).toBe(2);
      expect([run.out, run.err]).toEqual(['', expect.stringMatching(message)]);
    }
  });
});
