/**
 * What keeps the pure folders pure and time, timers and chance behind ports. The compiler refuses
 * most of it where `lib` is the bare language and `types` is empty, so the setting itself is held;
 * `Date` and `Math.random` are part of the language and are looked for here.
 */
import { sourceOf } from './source.js';
import { type File, type Finding, isPure, isSource, isTest, type Rule, type Tree } from './tree.js';

const wallPaths = [
  'packages/failure-detector/tsconfig.json',
  'packages/convergence/tsconfig.json',
  'packages/core/src/membership/tsconfig.json',
];

/** The files that are the ports' real implementations, or stand outside of any node. */
const ports: Readonly<Record<string, string>> = {
  'packages/rollcall/src/system-clock.ts': 'time and timers of this machine',
  'packages/rollcall/src/system-random.ts': 'chance of this machine',
};

const world = [
  'Date',
  'performance',
  'console',
  'process',
  'global',
  'globalThis',
  'require',
  'crypto',
  'Buffer',
  'fetch',
  'WebSocket',
  'queueMicrotask',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
];
const worldly = new RegExp(`^(new )?(${world.join('|')})\\b|^Math(\\.random|\\[…\\])?$`);

/**
 * `new Date(ms)` is a way to write a time down; `new Date()` asks what time it is. `setImmediate`
 * waits for a turn, not for a time.
 */
const timeOrChance = new RegExp(
  [
    '^Date\\.now$|^Date\\(|^new Date\\(\\)$|^performance(\\.now)?$|^Math\\.random$|^Math$',
    '^(globalThis\\.)?set(Timeout|Interval)\\b|^crypto\\.(getRandomValues|randomUUID)$',
  ].join('|'),
);

function referencesTo(files: Tree, banned: RegExp, instead: string): Finding[] {
  return files.flatMap((file) =>
    sourceOf(file)
      .references.filter(({ text }) => banned.test(text))
      .map(({ text, line }) => ({ path: file.path, line, says: `${text}: ${instead}` })),
  );
}

function pureImports(files: Tree): Finding[] {
  return files.flatMap((file) => {
    const { imports, tripleSlash } = sourceOf(file);
    const references = tripleSlash.map((line) => ({
      line,
      says: '/// <reference> opens the wall',
    }));
    const worldlyImports = imports
      .filter(({ specifier }) => /^(node:|rxjs\b)/.test(specifier))
      .map(({ line, specifier }) => ({ line, says: `'${specifier}' belongs to the driver` }));
    return [...references, ...worldlyImports].map((found) => ({ path: file.path, ...found }));
  });
}

function wallStands(path: string, tree: Tree): Finding[] {
  const file = tree.find((other) => other.path === path);
  if (!file) return [{ path, says: 'is missing' }];
  const { compilerOptions = {}, exclude = [], files } = JSON.parse(file.text);
  const findings: string[] = [];
  if (JSON.stringify(compilerOptions.lib) !== '["ES2023"]') findings.push('lib is not ["ES2023"]');
  if (JSON.stringify(compilerOptions.types) !== '[]') findings.push('types is not []');
  const around = exclude.filter((glob: string) => !/\*\*\/\*\.(test|testing)\.ts$/.test(glob));
  if (around.length > 0 || files) findings.push('some files are compiled outside the wall');
  return findings.map((says) => ({ path, says }));
}

/**
 * Operators that keep time by a scheduler of their own, out of reach of the Clock port. Refused in
 * what runs a node; what answers an operator or tells the demo lives in real time only.
 */
const timeKeeping = /^(timer|interval|delay|timeout|timeoutWith|timestamp|timeInterval|\w+Time)$/;

function timeKeepingImports(files: Tree): Finding[] {
  return files.flatMap((file) =>
    sourceOf(file)
      .imports.filter(({ specifier }) => /^rxjs\b/.test(specifier))
      .flatMap(({ names, line }) =>
        names
          .filter((name) => timeKeeping.test(name))
          .map((name) => ({
            path: file.path,
            line,
            says: `${name} keeps time by itself: use the Clock port`,
          })),
      ),
  );
}

const isDriven = (file: File): boolean =>
  /^packages\/[^/]+\/src\//.test(file.path) &&
  isSource(file) &&
  !isTest(file) &&
  !(file.path in ports);

export const wallRules: readonly Rule[] = [
  {
    name: 'the walls stand',
    why: 'With the bare language library a timer or a socket in a pure folder does not compile.',
    check: (tree) => wallPaths.flatMap((path) => wallStands(path, tree)),
  },
  {
    name: 'pure folders touch nothing',
    why: 'The same input must give the same answer in a test, a simulation and production.',
    check: (tree) => {
      const pure = tree.filter((file) => isSource(file) && isPure(file) && !isTest(file));
      const instead = 'take it as an argument, or answer with a directive';
      return [...referencesTo(pure, worldly, instead), ...pureImports(pure)];
    },
  },
  {
    name: 'time, timers and chance come through ports',
    why: 'What asks the system by itself cannot be run under virtual time.',
    check: (tree) => {
      const driven = tree.filter(isDriven);
      const instead = 'use the Clock or the Random port';
      const runsNode = driven.filter(
        ({ path }) => !/^packages\/(management|rollcall)\//.test(path),
      );
      return [...referencesTo(driven, timeOrChance, instead), ...timeKeepingImports(runsNode)];
    },
  },
  {
    name: 'listed ports exist',
    why: 'A list of exceptions that outlives them hides the next one.',
    check: (tree) =>
      Object.keys(ports)
        .filter((path) => !tree.some((file) => file.path === path))
        .map((path) => ({ path, says: 'is listed as a port and does not exist' })),
  },
];
