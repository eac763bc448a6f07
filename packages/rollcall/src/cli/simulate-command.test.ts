import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FakeWorld } from './fake-world.testing.js';
import { loadSimulator } from './simulate-package.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { planOf, TRACE_WORDS } = await loadSimulator();
/** Few nodes, so that it is quick. */
const SEED = Array.from({ length: 100 }, (_, seed) => seed).find(
  (seed) => planOf(seed).nodes.length === 3,
) as number;

async function simulate(...args: string[]) {
  const world = new FakeWorld();
  const exitCode = await world.run('simulate', ...args);
  return { exitCode, printed: world.printed, complained: world.complained };
}

const seed = ['--seed', String(SEED)];

describe('one history', () => {
  test('what it is comes first, the verdict last', async () => {
    const { exitCode, printed } = await simulate(...seed);
    expect(exitCode).toBe(0);
    const lines = printed.trimEnd().split('\n');
    expect(lines[0]).toBe(
      `seed      ${SEED}: 3 nodes, ${planOf(SEED).settings['downing.strategy']}`,
    );
    expect(printed).toMatch(/^faults .*off: /m);
    expect(printed).toMatch(/^ +MS +NODE +WHAT +ABOUT$/m);
    expect(printed).toMatch(/^ +\d+\.\d{3} {2}n1 +start$/m);
    expect(lines.at(-1)).toMatch(/^(whole|stopped|islands|blocked|full): .* after the last fault/);
  });

  test('the same again is the same, byte for byte', async () => {
    expect(await simulate(...seed, '--frames')).toEqual(await simulate(...seed, '--frames'));
  });

  test('filters: a node, a span, some events', async () => {
    const shown = async (...flags: string[]) => {
      const { printed } = await simulate(...seed, '--json', ...flags);
      const values = printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      return values.filter(({ type }) => type === 'event');
    };
    const all = await shown();
    const of = await shown('--node', 'n1', '--from', '10', '--to', '20000');
    expect(of.length).toBeGreaterThan(0);
    expect(of).toEqual(
      all.filter(
        ({ node, atMs }) => (node === 'n1' || node === '') && atMs >= 10 && atMs <= 20_000,
      ),
    );
    const noise = new Set(['linkUp', 'linkDown']);
    const withLinks = await shown('--links');
    expect(withLinks.filter(({ what }) => !noise.has(what))).toEqual(all);
    expect(withLinks.length).toBeGreaterThan(all.length);
    expect(await shown('--only', 'linkUp,linkDown')).toEqual(
      withLinks.filter(({ what }) => noise.has(what)),
    );
    const starts = await shown('--only', 'start,is');
    expect(new Set(starts.map(({ what }) => what))).toEqual(new Set(['start', 'is']));
  });

  test('no event has a name that --only does not take', async () => {
    for (const some of [SEED, 7, 11, 42]) {
      const { printed } = await simulate('--seed', String(some), '--json', '--links');
      const what = [...printed.matchAll(/"what":"([^"]*)"/g)].map(([, word]) => word as string);
      expect(Object.keys(TRACE_WORDS)).toEqual(expect.arrayContaining([...new Set(what)]));
    }
  });

  test('--json: the plan, each event and the verdict, a value a line', async () => {
    const { printed } = await simulate(...seed, '--json');
    const values = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(values[0]).toEqual({ type: 'plan', plan: planOf(SEED) });
    expect(values.at(-1)).toMatchObject({ type: 'verdict', kind: 'settled' });
  });

  test('a plan from a file is the same history', async () => {
    const { printed } = await simulate(...seed, '--print-plan');
    const file = join(folder, 'plan.json');
    writeFileSync(file, printed);
    expect(await simulate('--plan', file)).toEqual(await simulate(...seed));
  });

  test('with parts left out', async () => {
    const { printed } = await simulate(...seed, '--without', 'crash, loss', '--nodes', '2');
    expect(printed).toMatch(/^seed .* 2 nodes/);
    expect(printed).toMatch(/^faults .*off: .*crash/m);
  });

  test('one that fails is exit 1, and says what happened', async () => {
    const plan = planOf(SEED);
    const late = [300_000, 300_100].map((atMs, i) => ({
      kind: 'crash',
      node: `n${i + 1}`,
      atMs,
      id: 900 + i,
    }));
    const starts = plan.steps.filter(({ kind }) => kind === 'start');
    const settings = { 'downing.strategy': 'keep-majority', 'downing.stableAfter': 300_000 };
    const calm = { ...plan, settings, supervisorMs: undefined, steps: [...starts, ...late] };
    const file = join(folder, 'failing.json');
    writeFileSync(file, JSON.stringify(calm));
    const { exitCode, printed } = await simulate('--plan', file);
    expect(exitCode).toBe(1);
    expect(printed).toMatch(/^RESTLESS at /m);
  });
});

describe('a swarm', () => {
  test('a table at the end, and exit 0', async () => {
    const { exitCode, printed } = await simulate(
      '--swarm',
      '2',
      '--start',
      String(SEED),
      '--jobs',
      '1',
    );
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/^STRATEGY +SEEDS +WHOLE .*FAILED$/m);
    expect(printed).toMatch(/^all +2 /m);
    expect(printed).toMatch(/2 seeds, [\d,]+ events: .* seeds\/s, [\d,]+ events\/s/);
  });

  test('--json: each seed and the summary', async () => {
    const { printed } = await simulate(
      '--swarm',
      '1',
      '--start',
      String(SEED),
      '--jobs',
      '1',
      '--json',
    );
    const values = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(values).toMatchObject([
      { type: 'seed', seed: SEED, nodes: 3 },
      { type: 'summary', asked: 1, seeds: 1, failed: 0, interrupted: false },
    ]);
  });

  /** A swarm that is told to end once it has said something about its first seed. */
  async function interrupted(signal: string, ...flags: string[]) {
    const world = new FakeWorld();
    const { out } = world;
    let told = false;
    const telling: FakeWorld['out'] = (text) => {
      out(text);
      if (!told) world.signal(signal);
      told = true;
    };
    Object.assign(world, { out: telling, isTerminal: true });
    const range = ['--swarm', '500', '--start', String(SEED), '--jobs', '1'];
    const exitCode = await world.run('simulate', ...range, ...flags);
    return { exitCode, printed: world.printed };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s: says how far it came, and is no success', async (signal, code) => {
    const { exitCode, printed } = await interrupted(signal, '--json');
    expect(exitCode).toBe(code);
    const summary = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '');
    expect(summary).toMatchObject({ type: 'summary', asked: 500, seeds: 1, interrupted: true });
  });

  test('interrupted before anything is known: promises nothing', async () => {
    const world = new FakeWorld();
    const { onSignal } = world;
    world.onSignal = (run) => {
      const forget = onSignal(run);
      run('SIGINT');
      return forget;
    };
    expect(await world.run('simulate', '--swarm', '500', '--jobs', '1')).toBe(130);
    expect(world.printed).toContain('interrupted by SIGINT after 0 of 500 seeds');
    expect(world.printed).not.toContain('nothing forbidden');
  });

  test('interrupted, for a person: what held is said of what was lived through', async () => {
    const { exitCode, printed } = await interrupted('SIGINT');
    expect(exitCode).toBe(130);
    expect(printed).toMatch(/interrupted by SIGINT after \d+ of 500 seeds; in those, nothing forb/);
    expect(printed.trimEnd().split('\n').at(-1)).not.toMatch(/^nothing forbidden/);
  });
});

describe('what cannot be used is exit 2, and named', () => {
  test.each<[string, string[], string]>([
    ['nothing', [], '--swarm COUNT'],
    ['both', ['--seed', '1', '--swarm', '2'], 'only one'],
    ['no number', ['--seed', 'x'], '--seed'],
    ['a part that is none', ['--seed', '1', '--without', 'rain'], 'rain'],
    [
      'a file that is not there',
      ['--plan', 'no-such.json'],
      '--plan no-such.json cannot be read: there is no such file',
    ],
    ['no seeds', ['--swarm', '0'], '--swarm'],
    ['a moment that is none', ['--seed', '1', '--from', 'noon'], '--from'],
    ['an empty span', ['--seed', '1', '--from', '9', '--to', '8'], '--to 8 is before --from 9'],
    ['an event that is none', ['--seed', '1', '--only', 'is,nosuch'], "'nosuch'; there is start,"],
    ['no event', ['--seed', '1', '--only', ''], "''; there is"],
    ['frames that are not kept', ['--seed', '1', '--only', 'sends'], '--frames'],
    ['a node that is none', ['--seed', '1', '--node', 'n99'], "--node knows no 'n99'; there is n"],
    ['a node that is left out', [...seed, '--nodes', '2', '--node', 'n3'], 'there is n1, n2'],
    ['more nodes than there are', [...seed, '--nodes', '4'], '--nodes keeps 1 to 3'],
    ['no nodes', [...seed, '--nodes', '0'], '--nodes keeps 1 to 3'],
    ['a step that is none', [...seed, '--steps', '999'], '--steps knows no 999; there is '],
    ['a filter of a swarm', ['--swarm', '2', '--only', 'is'], '--only goes with --seed or --plan'],
    ['a part of a swarm', ['--swarm', '2', '--without', 'crash'], '--without'],
    ['a plan of a swarm', ['--swarm', '2', '--print-plan'], '--print-plan'],
    ['threads for one', ['--seed', '1', '--jobs', '2'], '--jobs goes with --swarm'],
    ['a filter of a plan', ['--seed', '1', '--print-plan', '--node', 'n1'], '--node'],
  ])('%s', async (_, args, named) => {
    const { exitCode, complained, printed } = await simulate(...args);
    expect(exitCode).toBe(2);
    expect(complained).toContain(named);
    expect(printed).toBe('');
  });

  test.each<[string, (plan: ReturnType<typeof planOf>) => object, string]>([
    ['a field', (plan) => ({ ...plan, faultsEndMs: 1e12 }), 'faultsEndMs takes'],
    ['a step', (plan) => ({ ...plan, steps: [null] }), 'steps[0] takes a step'],
    [
      'a setting',
      (plan) => ({ ...plan, settings: { 'downing.strategi': 'x' } }),
      'settings: there is no setting "downing.strategi"',
    ],
    [
      'a value of a setting',
      (plan) => ({ ...plan, settings: { 'downing.stableAfter': -1 } }),
      'settings: downing.stableAfter takes',
    ],
  ])('a plan, with the name of its file: %s', async (_, spoil, named) => {
    const file = join(folder, 'spoilt.json');
    writeFileSync(file, JSON.stringify(spoil(planOf(SEED))));
    const { exitCode, complained, printed } = await simulate('--plan', file);
    expect(exitCode).toBe(2);
    expect(complained).toContain(`--plan ${file} is no plan: ${named}`);
    expect(printed).toBe('');
  });

  test('--help has examples', async () => {
    const { exitCode, printed } = await simulate('--help');
    expect(exitCode).toBe(0);
    expect(printed).toContain('rollcall simulate --swarm 1000');
  });
});
