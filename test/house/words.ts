/**
 * Words that must not be in the repository, whatever the kind of file. The patterns are put
 * together from pieces, so that this file does not find itself.
 */
import { sourceOf } from './source.js';
import { type Finding, isSource, type Rule, type Tree } from './tree.js';

const machinePath =
  /(?<![\w.~:}/-])\/(?:work|home|root|Users|mnt|tmp|opt|usr\/local)\/\w|\b[A-Z]:\\\w/;
const registryHost = /\b(?:registry|npm|repo1?)\.[\w.-]+\.(?:org|com|io|net|dev)\b/;
const unfinished = new RegExp(`\\b(?:${['TO', 'FIX'].join('DO|')}ME)\\b`);

function linesWith(pattern: RegExp, says: string, tree: Tree): Finding[] {
  return tree.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, says }] : [])),
  );
}

const focused = /^(?:describe|test|it|suite|bench)\.(?:skip|only|todo)$/;

export const wordRules: readonly Rule[] = [
  {
    name: 'no machine paths',
    why: 'A path of the machine it was written on works nowhere else.',
    check: (tree) => linesWith(machinePath, 'names a path of one machine', tree),
  },
  {
    name: 'no registry hosts',
    why: 'Where packages come from is set where they are installed.',
    check: (tree) => linesWith(registryHost, 'names a package registry', tree),
  },
  {
    name: 'nothing unfinished',
    why: 'What is left to do is said where work is planned, not where nobody looks again.',
    check: (tree) => linesWith(unfinished, 'is a note to come back', tree),
  },
  {
    name: 'no skipped and no focused tests',
    why: 'A skipped test promises what nobody checks; a focused one skips all the others.',
    check: (tree) =>
      tree.filter(isSource).flatMap((file) =>
        sourceOf(file)
          .references.filter(({ text }) => focused.test(text))
          .map(({ text, line }) => ({ path: file.path, line, says: text })),
      ),
  },
];
