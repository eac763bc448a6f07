/** How files look from outside: their length, their name, how they open, what they hand on. */
import { basename } from 'node:path';
import { sourceOf } from './source.js';
import { type File, type Finding, isSource, isTest, type Rule, type Tree } from './tree.js';

const fileLines = { justify: 300, refuse: 400 };
const functionLines = 70;

/**
 * Files between 300 and 400 lines, and functions above 70, each with the reason it is whole. Tests
 * need none up to 400: a table of cases is long and flat.
 */
const longFiles: Readonly<Record<string, string>> = {};
const longFunctions: Readonly<Record<string, string>> = {};

const vague = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'types']);
const folders = new Set(['.ci', 'docs', 'examples', 'packages', 'test']);

const lengthOf = ({ text }: File): number => text.trimEnd().split('\n').length;

function longFilesIn(tree: Tree): Finding[] {
  return tree.filter(isSource).flatMap((file): Finding[] => {
    const { path } = file;
    const lines = lengthOf(file);
    if (lines > fileLines.refuse) return [{ path, says: `has ${lines} lines: cut it` }];
    if (lines > fileLines.justify && !isTest(file) && !(path in longFiles))
      return [{ path, says: `has ${lines} lines: cut it, or list it here with the reason` }];
    return [];
  });
}

function longFunctionsIn(tree: Tree): Finding[] {
  return tree.filter(isSource).flatMap((file) =>
    sourceOf(file)
      .functions.filter(({ lines }) => lines > functionLines)
      .filter(({ name }) => !(`${file.path} ${name}` in longFunctions))
      .map(({ name, line, lines }) => ({
        path: file.path,
        line,
        says: `${name} has ${lines} lines: cut it`,
      })),
  );
}

function staleExceptions(tree: Tree): Finding[] {
  const stale = (key: string, isStill: (file: File, name: string) => boolean): boolean => {
    const [path = '', name = ''] = key.split(' ');
    return !tree.some((file) => file.path === path && isStill(file, name));
  };
  const files = Object.keys(longFiles).filter((key) =>
    stale(key, (file) => lengthOf(file) > fileLines.justify),
  );
  const functions = Object.keys(longFunctions).filter((key) =>
    stale(key, (file, wanted) =>
      sourceOf(file).functions.some((f) => f.name === wanted && f.lines > functionLines),
    ),
  );
  return [...files, ...functions].map((path) => ({ path, says: 'needs its exception no longer' }));
}

function badNames(tree: Tree): Finding[] {
  return tree.filter(isSource).flatMap(({ path }): Finding[] => {
    const words = path.split('/').map((part) => part.split('.')[0] ?? '');
    if (words.some((word) => vague.has(word))) return [{ path, says: 'says nothing by its name' }];
    const isKebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)+$/.test(basename(path));
    return isKebab ? [] : [{ path, says: 'is not in kebab-case' }];
  });
}

export const shapeRules: readonly Rule[] = [
  {
    name: 'files are short',
    why: 'Every protocol code base has one file that got away; ours is caught at 300 lines.',
    check: longFilesIn,
  },
  {
    name: 'functions are short',
    why: 'A function should fit on one screen and in one head.',
    check: longFunctionsIn,
  },
  {
    name: 'exceptions are still needed',
    why: 'A list of exceptions that outlives them hides the next one.',
    check: staleExceptions,
  },
  {
    name: 'names say what is inside',
    why: 'A file called utils begins as one helper and ends as the second-largest file.',
    check: badNames,
  },
  {
    name: 'a module opens by saying what it is for',
    why: 'A newcomer reads the first lines of each file before any of the rest.',
    check: (tree) =>
      tree
        .filter((file) => isSource(file) && !/\.test\.ts$/.test(file.path))
        .filter((file) => !/\w+ \w+/.test(sourceOf(file).opening))
        .map(({ path }) => ({ path, line: 1, says: 'opens without a comment of what it is for' })),
  },
  {
    name: 'no export *',
    why: 'The public surface is a list someone signed; a star signs what it has not read.',
    check: (tree) =>
      tree
        .filter((file) => isSource(file) && !isTest(file))
        .flatMap((file) =>
          sourceOf(file).starExports.map((line) => ({ path: file.path, line, says: 'export *' })),
        ),
  },
  {
    name: 'the top level holds what it is meant to hold',
    why: 'The first listing a newcomer sees is the map of the house.',
    check: (tree) => {
      const seen = new Set(
        tree.filter(({ path }) => path.includes('/')).map(({ path }) => path.split('/')[0] ?? ''),
      );
      return [...seen]
        .filter((folder) => !folders.has(folder))
        .map((path) => ({ path, says: 'is a folder the top level does not have' }));
    },
  },
];
