/**
 * What documents claim, held against the code: programs run and print what they say, links lead
 * somewhere, tables match the source, names exist. `npx vitest run test/docs.test.ts -u` writes the
 * generated tables of docs/PROTOCOL.md anew.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NEXT, RANK, type Status } from '@rollcall/convergence';
import { encode, KINDS, PROFILES, readSettings, type Settings, settingRows } from '@rollcall/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import build from './build.js';
import { freePorts, PORTS, swapped } from './document-ports.js';
import { readTree } from './house/tree.js';
import { samples } from './message-samples.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const tree = readTree();
const sources = tree.filter(({ path }) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
const documents = tree.filter(({ path }) =>
  /^(README|CHANGELOG)\.md$|^docs\/.*\.md$|^(packages|examples)\/[^/]+\/README\.md$/.test(path),
);
const ours = documents.filter(({ path }) => !path.startsWith('packages/'));

function read(path: string): string {
  const file = tree.find((each) => each.path === path);
  if (file === undefined) throw new Error(`there is no ${path}`);
  return file.text;
}

const protocol = read('docs/PROTOCOL.md');
const operating = read('docs/OPERATING.md');

/** The text under a heading, up to the next one of its rank. */
function section(text: string, heading: string): string {
  const [, rest = ''] = text.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] ?? '';
}

/** The cells of every table row, heads and rules left out. */
function rows(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) => line.split('|').slice(1, -1));
  const isRule = (index: number) => /^\s*:?-+:?\s*$/.test(cells[index]?.[0] ?? '');
  return cells
    .filter((_, index) => !isRule(index) && !isRule(index + 1))
    .map((row) => row.map((cell) => cell.trim()));
}

const bare = (cell = ''): string => cell.replace(/^`(.*)`$/, '$1');
const firstCells = (text: string): string[] => rows(text).map(([cell]) => bare(cell));

/** The words of a union type in the source, in order. */
function unionOf(path: string, name: string): string[] {
  const source = read(path).replace(/\/\*.*?\*\//gs, '');
  const [, body = ''] = new RegExp(`export type ${name} =([^;]*);`).exec(source) ?? [];
  return [...body.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '');
}

interface Fence {
  readonly info: string;
  readonly body: string;
}

const fencesIn = (text: string): Fence[] =>
  [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info = '', body = '']) => ({
    info: info.trim(),
    body,
  }));

const withoutCode = (text: string): string => text.replace(/^```.*?^```$/gms, '');

interface Program {
  readonly name: string;
  readonly language: 'ts' | 'js';
  readonly isRun: boolean;
  readonly body: string;
  readonly prints: string | undefined;
}

const programs = documents.flatMap(({ path, text }) =>
  fencesIn(text).flatMap(({ info, body }, index, all): Program[] => {
    const [, language, kind] = /^(ts|js) (run|check)$/.exec(info) ?? [];
    if (language !== 'ts' && language !== 'js') return [];
    const next = all[index + 1];
    const prints = next?.info === 'text prints' ? next.body : undefined;
    const name = `${path.replace(/\W+/g, '-')}-${index}`;
    return [{ name, language, isRun: kind === 'run', body, prints }];
  }),
);

async function run(file: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [file], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const code = await new Promise<number | null>((closed) => child.once('close', closed));
  return { code, out, err };
}

describe('programs', () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'docs-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const ports = new Map<string, readonly number[]>();

  beforeAll(async () => {
    build();
    for (const { name, language, body } of programs) {
      const free = await freePorts();
      ports.set(name, free);
      writeFileSync(join(scratch, `${name}.${language}`), swapped(body, PORTS, free));
    }
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable'],
      module: 'nodenext',
      strict: true,
      types: ['node'],
      skipLibCheck: true,
      outDir: 'out',
    };
    const include = ['*.ts'];
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
  }, 60_000);

  test('compile, run, and print what they say', { timeout: 60_000 }, async () => {
    expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(['ts', 'js']));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [tsc, '-p', scratch], { cwd: root });
    await compiled.catch(({ stdout }) => expect(stdout).toBe(''));
    const runs = programs.map(async ({ name, language, isRun, prints }) => {
      if (!isRun) return;
      const { code, out, err } = await run(
        join(scratch, language === 'ts' ? `out/${name}.js` : `${name}.js`),
      );
      expect({ name, code }, err).toEqual({ name, code: 0 });
      const printed = swapped(out, ports.get(name) ?? [], PORTS);
      if (prints !== undefined) expect(printed, name).toBe(prints);
    });
    await Promise.all(runs);
  });
});

/** The headings of a document, as GitHub makes anchors of them. */
const anchorsIn = (path: string): string[] =>
  [...withoutCode(read(path)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
    return words.trim().replace(/\s/g, '-');
  });

function isBroken(from: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? from : normalize(join(dirname(from), target));
  if (path.startsWith('..') || !existsSync(join(root, path))) return true;
  return anchor !== undefined && !anchorsIn(path).includes(anchor);
}

test.each(documents)('every link of $path leads somewhere', ({ path, text }) => {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const relative = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(relative.filter((link) => isBroken(path, link))).toEqual([]);
});

/** In the document that leads through the files a path is a whole one, or that of a file of the machine. */
function isAt(path: string, file: string, document: string): boolean {
  const places = [file, `packages/${file}`, `packages/core/src/membership/${file}`];
  return document === 'docs/ARCHITECTURE.md'
    ? places.includes(path)
    : path === file || path.endsWith(`/${file}`);
}

test.each(ours)('files and names that $path mentions are there', ({ path: from, text }) => {
  const missing = [...text.matchAll(/`([\w./-]+\.ts)`(?: `(\w+)`)?/g)].flatMap(
    ([mention, file = '', name]) => {
      const files = tree.filter(({ path }) => isAt(path, file, from));
      const isThere = files.some((each) => name === undefined || each.text.includes(name));
      return isThere ? [] : [mention];
    },
  );
  expect(missing).toEqual([]);
});

test.each(documents)('settings that $path names exist', ({ text }) => {
  const names = new Set(settingRows.map(({ name }) => name));
  const groups = new Set([...names].map((name) => name.split('.')[0]));
  const isKnown = (word: string) =>
    names.has(word) || word === 'members.minPerRole' || /^[a-z]+$/.test(word);
  const unknown = [...text.matchAll(/(?<![\w./-])([a-z]+)\.([a-z]\w*)(?:=|\b)(?!\.ts|\()/g)]
    .map(([, group = '', leaf = '']) => ({ group, word: `${group}.${leaf}` }))
    .filter(({ group, word }) => groups.has(group) && !/\.(ts|js)$/.test(word) && !isKnown(word));
  expect(unknown.map(({ word }) => word)).toEqual([]);
});

test('scripts and flags that documents name exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const files = ['program', 'simulate-options', 'study-options', 'tune-options'];
  const program = files.map((file) => read(`packages/rollcall/src/cli/${file}.ts`)).join('');
  const text = ours.map((each) => each.text).join('\n');
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
  const used = `${read('README.md')}${operating}`;
  const flags = [...used.matchAll(/(?<![\w-])--[a-z][a-z-]+\w/g)].map(([flag]) => flag);
  expect([...new Set(flags)].filter((flag) => !program.includes(`'${flag}`))).toEqual([]);
});

/** Words with a meaning elsewhere that ours replace, and words that say nothing to a reader. */
const avoided =
  /\b(?:session|blueprint|helper|issue \d+|quarantined?|evict\w*|offline|online|(?:dead|failed|sick) (?:node|member)s?|master|slave|simply|obviously|easily)\b/i;

test.each(ours.filter(({ path }) => path !== 'docs/GLOSSARY.md'))(
  '$path uses our words',
  ({ text }) => {
    expect(text.split('\n').filter((line) => avoided.test(line))).toEqual([]);
  },
);

const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |\n`).join('');

function settingsTable(): string {
  const body = settingRows.map(
    ({ name, setting: { agreed, show, default: value, takes, about } }) => [
      `\`${name}\``,
      show(value),
      takes,
      about + (agreed ? ' *(agreed)*' : ''),
    ],
  );
  return table(['setting', 'default', 'takes', 'what it does'], body);
}

function profilesTable(): string {
  const valueIn = (settings: Settings, name: string) => {
    const [group = '', leaf = ''] = name.split('.');
    return (settings as unknown as Record<string, Record<string, unknown>>)[group]?.[leaf];
  };
  const all = PROFILES.map((profile) => readSettings({ profile }));
  const body = settingRows.flatMap(({ name, setting }) => {
    const shown = all.map((settings) => setting.show(valueIn(settings, name)));
    return new Set(shown).size === 1 ? [] : [[`\`${name}\``, ...shown]];
  });
  return table(['setting', ...PROFILES.map((profile) => `\`${profile}\``)], body);
}

function movesTable(): string {
  const all = Object.keys(RANK) as Status[];
  const body = all.map((from) => [
    `\`${from}\``,
    NEXT[from].map((to) => `\`${to}\``).join(', ') || 'nothing',
  ]);
  return table(['from', 'to'], body);
}

test('the tables of PROTOCOL.md are those of the source', async () => {
  const tables = { moves: movesTable(), settings: settingsTable(), profiles: profilesTable() };
  const fresh = Object.entries(tables).reduce((text, [name, made]) => {
    const between = new RegExp(`(<!-- table: ${name} -->\n).*?(<!-- end -->)`, 's');
    expect(text).toMatch(between);
    return text.replace(between, (_, begin, end) => `${begin}\n${made}\n${end}`);
  }, protocol);
  await expect(fresh).toMatchFileSnapshot('../docs/PROTOCOL.md');
});

describe('tables', () => {
  test('messages: every kind by its byte, with its size', () => {
    const made = samples();
    const isKind = (row: readonly string[]) => /^\d+$/.test(row[0] ?? '');
    const said = rows(section(protocol, 'Messages')).filter(isKind);
    expect(said.map(([byte, kind]) => [Number(byte), bare(kind)])).toEqual([...KINDS.entries()]);
    const sizes = said.map(([, kind, , bytes = '']) => [
      bare(kind),
      ...(bytes.match(/\d{2,}(?= |;|$)|^\d+/g) ?? []).slice(0, made[bare(kind) as 'patch'].length),
    ]);
    const real = KINDS.map((kind) => [kind, ...made[kind].map((m) => `${encode(m).length}`)]);
    expect(sizes.map((row) => row.filter((each) => each !== '100'))).toEqual(real);
  });

  test('statuses by rank', () => {
    const isStatus = (row: readonly string[]) => bare(row[0]) in RANK && row.length === 4;
    const said = rows(section(protocol, 'Statuses')).filter(isStatus);
    expect(Object.fromEntries(said.map(([s, rank]) => [bare(s), Number(rank)]))).toEqual(RANK);
  });

  test('timers, refusals, blockers and reasons are all there', () => {
    const machine = 'packages/core/src/membership';
    expect(firstCells(section(protocol, 'Timers'))).toEqual(
      unionOf(`${machine}/input.ts`, 'TimerKind'),
    );
    const refusals = unionOf(`${machine}/hello.ts`, 'RefusalCode');
    expect(firstCells(section(protocol, 'Links'))).toEqual(expect.arrayContaining(refusals));
    const kinds = unionOf('packages/convergence/src/describe.ts', 'BlockerKind');
    const said = firstCells(section(operating, 'When nothing moves'));
    expect(said.toSorted()).toEqual([...kinds, 'notMember'].toSorted());
    const reasons = unionOf(`${machine}/cluster-event.ts`, 'StopReason');
    const told = section(protocol, 'When a node stops itself');
    expect(reasons.filter((reason) => !told.includes(`\`${reason}\``))).toEqual([]);
  });

  test('scenarios: every transcript by its name, each once', () => {
    const files = tree.map(({ path }) =>
      /^packages\/simulator\/src\/transcripts\/(.*\.txt)$/.exec(path),
    );
    const said = section(protocol, 'Scenarios').matchAll(/`([\w-]+\.txt)`/g);
    const names = files.flatMap((found) => found?.[1] ?? []);
    expect([...said].map(([, name]) => name).toSorted()).toEqual(names.toSorted());
  });

  test('exit codes and routes', () => {
    const exits = read('packages/rollcall/src/cli/exit-code.ts').matchAll(/^ {2}\w+: (\d),$/gm);
    expect(firstCells(section(operating, 'Exit codes'))).toEqual(
      [...exits].map(([, code]) => code),
    );
    const [, body = ''] =
      /const ROUTES: Routes = \{\n(.*?)\n\};/s.exec(
        read('packages/management/src/management.ts'),
      ) ?? [];
    let path = '';
    const routes = body.split('\n').flatMap((line) => {
      path = /^ {2}'(\/[^']*)'/.exec(line)?.[1] ?? path;
      const methods = [...line.matchAll(/\b(GET|PUT|POST|DELETE):/g)];
      return methods.map(([, method]) => `${method} ${path.replace('*', '{address}')}`);
    });
    expect(firstCells(section(operating, 'HTTP')).toSorted()).toEqual(routes.toSorted());
  });
});

test('what the source cites of PROTOCOL.md is there', () => {
  const numbered = /\b(?:X\d\d|I[1-7]|R\d\d?|S[1-5]|N[1-5]|D[1-4])(?!\w*\()\b/g;
  const rules = sources.filter(({ path }) => /convergence|core\/src\/membership/.test(path));
  const cited = new Set(rules.flatMap(({ text }) => text.match(numbered) ?? []));
  const defined = (id: string) => new RegExp(`^\\| ${id}[a-d]? \\|`, 'm').test(protocol);
  expect([...cited].filter((id) => !defined(id))).toEqual([]);
  // `PROTOCOL "Seen", "Convergence"`, over the lines of a comment if need be.
  const citations = sources.flatMap(({ text }) => [
    ...text.replace(/\n\s*\* ?/g, ' ').matchAll(/PROTOCOL(?:\.md)?,?((?:,? "[^"]+")+)/g),
  ]);
  const quoted = citations.flatMap(([, list = '']) => [...list.matchAll(/"([^"]+)"/g)]);
  const sections = quoted.map(([, name]) => name);
  expect(sections).not.toEqual([]);
  expect(sections.filter((name) => !protocol.includes(`\n## ${name}\n`))).toEqual([]);
});
