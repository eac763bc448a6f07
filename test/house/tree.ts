/** What the rules look at: files as paths and text, read from the clone or made up by a test. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface File {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export type Tree = readonly File[];

export interface Finding {
  readonly path: string;
  readonly line?: number;
  readonly says: string;
}

export interface Rule {
  readonly name: string;
  /** What goes wrong without it. */
  readonly why: string;
  readonly check: (tree: Tree) => readonly Finding[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));

const notOurs = new Set(['node_modules', 'dist', 'coverage', '.git', '.pnpm']);
const text = new Set(
  '.ts .mjs .js .json .jsonl .md .txt .yaml .yml .html .css .sh'.split(' ').concat(''),
);

/** Read from disk and not from git, so that a file is judged before it is committed. */
export function readTree(folder = ''): File[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): File[] => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : readTree(`${path}/`);
    if (!entry.isFile() || !text.has(extname(entry.name)) || entry.name === 'pnpm-lock.yaml')
      return [];
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  });
}

export const isSource = ({ path }: File): boolean => /\.(ts|mjs)$/.test(path);
/** Tests and what only tests use; neither is compiled into a package. */
export const isTest = ({ path }: File): boolean => /\.(test|testing)\.ts$|^test\//.test(path);
export const isPure = ({ path }: File): boolean =>
  /^packages\/(failure-detector\/src|convergence\/src|core\/src\/membership)\//.test(path);
