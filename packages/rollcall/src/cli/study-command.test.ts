import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FakeWorld } from './fake-world.testing.js';
import { lineOf } from './unfinished-runs.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

const small = [
  '--cells',
  '1x8,2x12',
  '--nodes',
  '16',
  '--minutes',
  '1',
  '--seeds',
  '1',
  '--only',
  'swim,lifeguard,grace,health,both',
  '--jobs',
  '1',
];

async function study(...args: string[]) {
  const world = new FakeWorld();
  const exitCode = await world.run('study', ...args);
  return { exitCode, printed: world.printed, complained: world.complained, world };
}

describe('a study', () => {
  test('prints a table, writes it beside a picture and the runs, and says where', async () => {
    const out = join(folder, 'one');
    const { exitCode, printed } = await study('cut-off', ...small, '--out', out);
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/^CUT OFF +FOR S +SWIM +LIFEGUARD +\+ GRACE +\+ HEALTH +BOTH$/m);
    expect(printed.trimEnd().split('\n').at(-1)).toBe(
      `table.txt, cut-off.svg and cut-off.json are in ${out}`,
    );
    expect(readdirSync(out).sort()).toEqual(['cut-off.json', 'cut-off.svg', 'table.txt']);
    expect(printed.startsWith(readFileSync(join(out, 'table.txt'), 'utf8'))).toBe(true);
    expect(readFileSync(join(out, 'cut-off.svg'), 'utf8')).toMatch(/^<svg /);
    const { results, rows, flags } = JSON.parse(readFileSync(join(out, 'cut-off.json'), 'utf8'));
    expect(results).toHaveLength(10);
    expect(rows).toHaveLength(2);
    expect(flags).toEqual({
      cells: '1x8,2x12',
      nodes: '16',
      minutes: '1',
      seeds: '1',
      only: 'swim,lifeguard,grace,health,both',
    });
  });

  test('the same again is the same, byte for byte', async () => {
    const [one, two] = [join(folder, 'two'), join(folder, 'three')];
    await study('cut-off', ...small, '--out', one);
    await study('cut-off', ...small, '--out', two);
    for (const file of readdirSync(one)) {
      expect(readFileSync(join(one, file), 'utf8')).toBe(readFileSync(join(two, file), 'utf8'));
    }
  });

  test('a signal ends it, and it goes on as if there had been none', async () => {
    const out = join(folder, 'four');
    const world = new FakeWorld();
    const ending = world.run('study', 'cut-off', ...small, '--minutes', '5', '--out', out);
    while (!world.hears) await new Promise((turn) => setImmediate(turn));
    world.signal('SIGINT');
    expect(await ending).toBe(130);
    expect(world.complained).toMatch(
      /^rollcall: interrupted by SIGINT after \d+ of 10 runs; (nothing was written|they are in \S+unfinished.jsonl, --resume goes on)$/m,
    );
    expect(readdirSync(out)).not.toContain('table.txt');
  });

  test('what was done before an interruption is not done again, unless nobody asks for it', async () => {
    const [whole, half] = [join(folder, 'whole'), join(folder, 'half')];
    await study('cut-off', ...small, '--out', whole);
    const { results } = JSON.parse(readFileSync(join(whole, 'cut-off.json'), 'utf8'));
    const [first, second] = results;
    const lines = [{ ...first, falseDeaths: 777 }, second].map(lineOf).join('');
    mkdirSync(half);
    // The last line was being written when the process was killed.
    writeFileSync(join(half, 'unfinished.jsonl'), `${lines}{"sum":"5`);
    const resumed = await study('cut-off', ...small, '--out', half, '--resume');
    expect(resumed.printed).toMatch(/^1 +8 +46,620 /m);
    expect(readdirSync(half).sort()).toEqual(['cut-off.json', 'cut-off.svg', 'table.txt']);
    writeFileSync(join(half, 'unfinished.jsonl'), lines);
    const anew = await study('cut-off', ...small, '--out', half);
    expect(anew.complained).toContain(
      `rollcall: 2 finished runs in ${join(half, 'unfinished.jsonl')} are thrown away; --resume would`,
    );
    for (const file of readdirSync(whole)) {
      expect(readFileSync(join(half, file), 'utf8')).toBe(readFileSync(join(whole, file), 'utf8'));
    }
  });

  test('what was done with other flags stays, and is used by these', async () => {
    const out = join(folder, 'others');
    const probe = (seed: string) => [
      'probe',
      '--probes',
      '10',
      '--seed',
      seed,
      '--jobs',
      '1',
      '--out',
      out,
    ];
    const unfinished = join(out, 'unfinished.jsonl');
    await study(...probe('1'));
    const { results } = JSON.parse(readFileSync(join(out, 'probe.json'), 'utf8'));
    const marked = lineOf({ ...results[0], steps: 7 });
    const second = lineOf(results[1]);
    // Lines that hold no run, and one that was cut off: what is added must not go on it.
    writeFileSync(unfinished, `{}\n5\nnull\n[]\n${marked}${second}{"sum":"5`);
    const other = await study(...probe('2'), '--resume');
    expect(other.exitCode).toBe(0);
    expect(other.complained).toContain(
      `rollcall: 2 finished runs of other flags stay in ${unfinished}: --resume with those flags uses them`,
    );
    expect(other.complained).toContain(
      `rollcall: 4 lines of ${unfinished} hold no run as it was written, and count for nothing`,
    );
    expect(readFileSync(unfinished, 'utf8')).toBe(`${marked}${second}`);
    const resumed = await study(...probe('1'), '--resume');
    expect(resumed.complained).toBe('');
    expect(JSON.parse(readFileSync(join(out, 'probe.json'), 'utf8')).results[0].steps).toBe(7);
    expect(readdirSync(out).sort()).toEqual(['probe.json', 'probe.svg', 'table.txt']);
  });

  test('the other studies', async () => {
    const out = join(folder, 'five');
    const { exitCode, printed } = await study(
      'probe',
      '--probes',
      '100',
      '--jobs',
      '1',
      '--out',
      out,
    );
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/^LOSS +HELPERS +PROBES/m);
  });
});

describe('what cannot be used is exit 2, and named', () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const occupied = join(folder, 'occupied');
  mkdirSync(join(occupied, 'table.txt'), { recursive: true });

  test.each<[string, string[], string]>([
    ['a cell that is none', ['cut-off', '--cells', '12'], '--cells'],
    ['a model that is none', ['cut-off', '--model', 'x'], '--model'],
    ['no threads', ['cut-off', '--jobs', '0'], '--jobs'],
    ['a file for a folder', ['cut-off', '--out', file], '--out'],
    ['a folder where no folder can be', ['cut-off', '--out', '/proc/none/x'], '--out'],
    ['a folder where the table goes', ['cut-off', '--out', occupied], 'table.txt is no file'],
    ['too few nodes to cut one off', ['cut-off', '--nodes', '2', '--out', folder], '--nodes'],
    ['no probes', ['probe', '--probes', '0'], '--probes'],
    ['a study that is none', ['tea'], 'tea'],
  ])('%s', async (_, args, named) => {
    const { exitCode, complained, printed } = await study(...args);
    expect(exitCode).toBe(2);
    expect(complained).toContain(named);
    expect(printed).toBe('');
  });

  const taught = ['loss', 'stall', 'one-way', 'spread', 'central', 'crash', 'threshold'];
  test.each(['', 'cut-off', 'probe', ...taught])('study %s --help has examples', async (name) => {
    const { exitCode, printed } = await study(...(name === '' ? [] : [name]), '--help');
    expect(exitCode).toBe(0);
    expect(printed).toContain(`rollcall study ${name === '' ? 'cut-off' : name}`);
  });
});
