/**
 * The house rules. First every rule is held against the repository; then every rule is shown a
 * small made-up tree that breaks it, because a rule that cannot fail protects nothing.
 */
import { describe, expect, test } from 'vitest';
import { rules } from './house/rules.js';
import { type Finding, readTree, type Tree } from './house/tree.js';

const print = ({ path, line, says }: Finding): string =>
  `${path}${line === undefined ? '' : `:${line}`} ${says}`;

describe('the repository keeps the rules', () => {
  const tree = readTree();

  test('there is something to judge', () => {
    expect(tree.map(({ path }) => path)).toContain('packages/core/src/membership/tsconfig.json');
  });

  test.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, { why, check }) => {
    expect(check(tree).map(print), why).toEqual([]);
  });
});

type Made = Readonly<Record<string, string>>;

function findings(name: string, made: Made): string[] {
  const rule = rules.find((candidate) => candidate.name === name);
  if (!rule) throw new Error(`there is no rule "${name}"`);
  const tree: Tree = Object.entries(made).map(([path, text]) => ({ path, text }));
  return rule.check(tree).map(print);
}

const home = ['', 'home', 'me', 'x'].join('/');
const registry = ['registry', 'example', 'org'].join('.');
const lines = (count: number): string => 'f();\n'.repeat(count);
const core = 'packages/core/src/a.ts';
const machine = 'packages/core/src/membership/a.ts';
const wall = '{ "compilerOptions": { "lib": ["ES2023"], "types": [] } }';
const walls = {
  'packages/failure-detector/tsconfig.json': wall,
  'packages/convergence/tsconfig.json': wall,
  'packages/core/src/membership/tsconfig.json': wall,
};
const without = (path: keyof typeof walls, text: string): Made => ({ ...walls, [path]: text });
const manifest = { 'packages/core/package.json': '{ "dependencies": { "rxjs": "7" } }' };

const broken: readonly [rule: string, case_: string, tree: Made][] = [
  ['imports follow the arrows', 'up', { [machine]: "import '@rollcall/core';" }],
  ['imports follow the arrows', 'out of the wall', { [machine]: "import '../clock.js';" }],
  [
    'imports follow the arrows',
    'sideways',
    {
      'packages/management/src/a.ts': "import type { A } from '@rollcall/simulator';",
    },
  ],
  [
    'imports follow the arrows',
    'sideways by a type',
    {
      'packages/convergence/src/a.ts': "type A = import('@rollcall/failure-detector').A;",
    },
  ],
  ['imports follow the arrows', 'by re-export', { [core]: "export { a } from 'ws';" }],
  ['imports follow the arrows', 'a dependency of another', { [core]: "import 'node:fs';" }],
  [
    'imports follow the arrows',
    'not on demand',
    {
      'packages/rollcall/src/a.ts': "import '@rollcall/simulator';",
    },
  ],
  [
    'imports follow the arrows',
    'the network outside the command',
    {
      'packages/simulator/src/a.ts': "import 'node:fs';",
    },
  ],
  ['imports follow the arrows', 'a computed name', { [core]: 'await import(name);' }],
  [
    'imports follow the arrows',
    'deeper than the name',
    {
      'test/a.test.ts': "import '@rollcall/core/dist/clock.js';",
    },
  ],
  [
    'imports follow the arrows',
    'around the name',
    {
      'test/a.test.ts': "import '../packages/core/src/clock.js';",
    },
  ],
  ['imports are declared', 'undeclared', { ...manifest, [core]: "import 'ws';" }],
  [
    'imports are declared',
    'undeclared type',
    {
      ...manifest,
      [core]: "import type { A } from 'ws';",
    },
  ],
  [
    'files do not import in circles',
    'of two',
    {
      'test/a.ts': "import './b.js';",
      'test/b.ts': "export { A } from './a.js';",
    },
  ],
  [
    'the walls stand',
    'no types setting',
    without(
      'packages/core/src/membership/tsconfig.json',
      '{ "compilerOptions": { "lib": ["ES2023"] } }',
    ),
  ],
  [
    'the walls stand',
    'a wider lib',
    without(
      'packages/convergence/tsconfig.json',
      '{ "compilerOptions": { "lib": ["ES2023", "DOM"], "types": [] } }',
    ),
  ],
  [
    'the walls stand',
    'a hole',
    without(
      'packages/convergence/tsconfig.json',
      wall.replace(/}$/, ', "exclude": ["src/impure.ts"] }'),
    ),
  ],
  ['the walls stand', 'no wall', {}],
  ['pure folders touch nothing', 'clock', { [machine]: 'const now = Date.now();' }],
  ['pure folders touch nothing', 'clock in hand', { [machine]: 'const { now } = Date;' }],
  ['pure folders touch nothing', 'new Date', { [machine]: 'const at = new Date();' }],
  ['pure folders touch nothing', 'chance', { [machine]: 'const x = Math.random();' }],
  ['pure folders touch nothing', 'chance in hand', { [machine]: 'const { random } = Math;' }],
  ['pure folders touch nothing', 'performance', { [machine]: 'performance.now();' }],
  ['pure folders touch nothing', 'timer', { [machine]: 'setTimeout(f, 1);' }],
  ['pure folders touch nothing', 'timer by the global', { [machine]: 'globalThis.setTimeout(f);' }],
  ['pure folders touch nothing', 'console', { [machine]: 'console.log(1);' }],
  ['pure folders touch nothing', 'process', { [machine]: 'process.exit();' }],
  ['pure folders touch nothing', 'node', { [machine]: "import 'node:fs';" }],
  ['pure folders touch nothing', 'streams', { [machine]: "import type { A } from 'rxjs';" }],
  ['pure folders touch nothing', 'types of node', { [machine]: '/// <reference types="node" />' }],
  ['time, timers and chance come through ports', 'clock', { [core]: 'const now = Date.now();' }],
  ['time, timers and chance come through ports', 'date', { [core]: 'const now = new Date();' }],
  ['time, timers and chance come through ports', 'timer', { [core]: 'setTimeout(f, 1);' }],
  [
    'time, timers and chance come through ports',
    'streams',
    { [core]: "import { auditTime as later } from 'rxjs';" },
  ],
  ['time, timers and chance come through ports', 'chance', { [core]: 'f(Math.random);' }],
  ['listed ports exist', 'an empty tree', {}],
  ['files are short', 'above 300', { [core]: lines(301) }],
  ['files are short', 'above 400', { [core]: lines(401) }],
  ['files are short', 'tests above 400', { 'test/a.test.ts': lines(401) }],
  ['functions are short', 'above 70', { [core]: `function f() {\n${lines(69)}}` }],
  ['functions are short', 'a test', { 'test/a.test.ts': `test('x', () => {\n${lines(70)}});` }],
  ['functions are short', 'a method', { [core]: `class A { m() {\n${lines(69)}} }` }],
  ['names say what is inside', 'vague', { 'packages/core/src/utils.ts': '' }],
  ['names say what is inside', 'vague folder', { 'packages/core/src/common/a.ts': '' }],
  ['names say what is inside', 'case', { 'packages/core/src/myFile.ts': '' }],
  ['a module opens by saying what it is for', 'silent', { [core]: 'f();' }],
  ['a module opens by saying what it is for', 'later', { [core]: 'f();\n/** Says it late. */' }],
  ['no export *', 'bare', { [core]: "export * from './b.js';" }],
  ['no export *', 'named', { [core]: "export * as b from './b.js';" }],
  ['the top level holds what it is meant to hold', 'a folder', { 'src/a.ts': '' }],
  ['no machine paths', 'in a document', { 'docs/a.md': `see ${home}` }],
  ['no registry hosts', 'in a setting', { '.npmrc': `registry=https://${registry}/` }],
  ['nothing unfinished', 'note', { 'docs/a.md': `${'to'.toUpperCase()}${'do'.toUpperCase()}: x` }],
  ['no skipped and no focused tests', 'focused', { 'test/a.test.ts': `test.${'only'}('x', f);` }],
  [
    'no skipped and no focused tests',
    'skipped',
    { 'test/a.test.ts': `describe.${'skip'}.each([]);` },
  ],
];

describe('the rules bite', () => {
  test.each(broken)('%s: %s', (rule, _, tree) => {
    expect(findings(rule, tree)).not.toEqual([]);
  });
});

const kept: readonly [rule: string, case_: string, tree: Made][] = [
  ['imports follow the arrows', 'into the wall', { [core]: "import './membership/a.js';" }],
  [
    'imports follow the arrows',
    'on demand',
    {
      'packages/rollcall/src/a.ts': "await import('@rollcall/simulator');",
    },
  ],
  [
    'imports follow the arrows',
    'types alone',
    {
      'packages/transport-websocket/src/a.ts': "import type { Logger } from 'pino';",
    },
  ],
  ['imports follow the arrows', 'words in a comment', { [core]: "// import 'ws'\n`import 'ws'`;" }],
  [
    'files do not import in circles',
    'types alone',
    { 'test/a.ts': "import './b.js';", 'test/b.ts': "import type { A } from './a.js';" },
  ],
  ['imports are declared', 'declared', { ...manifest, [core]: "import 'rxjs/operators';" }],
  ['pure folders touch nothing', 'words in a comment', { [machine]: '// Date.now() is banned' }],
  ['pure folders touch nothing', 'a key of that name', { [machine]: 'f({ process: a.console });' }],
  ['pure folders touch nothing', 'arithmetic', { [machine]: 'Math.max(1, 2);' }],
  [
    'time, timers and chance come through ports',
    'writing a time',
    {
      [core]: 'new Date(nowMs).toISOString();',
    },
  ],
  ['the walls stand', 'all three', walls],
  ['files are short', 'tests', { 'test/a.test.ts': lines(400) }],
  [
    'functions are short',
    'a chapter of tests',
    {
      'test/a.test.ts': `describe.each([1])('x', () => {\ntest.each([])('y', f);\n${lines(80)}});`,
    },
  ],
];

describe('the rules bite nobody else', () => {
  test.each(kept)('%s: %s', (rule, _, tree) => {
    expect(findings(rule, tree)).toEqual([]);
  });
});

test('every rule has been seen to bite', () => {
  const bitten = new Set(broken.map(([rule]) => rule));
  const needsItsOwnList = 'exceptions are still needed';
  expect(rules.map(({ name }) => name).filter((name) => !bitten.has(name))).toEqual([
    needsItsOwnList,
  ]);
});
