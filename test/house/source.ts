/**
 * Reads one source file into the facts the rules ask for. A real parser does it, because a pattern
 * over text is fooled by comments and strings, in both directions.
 */
import { parseSync } from 'oxc-parser';
import type { File } from './tree.js';

export interface Import {
  readonly specifier: string;
  /** As the other module calls them. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
  readonly line: number;
}

/** A name looked up in the world, as `now`, `Date.now`, `Date()`, `new Date()` or `new Date(…)`. */
interface Reference {
  readonly text: string;
  readonly line: number;
}

interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

export interface Source {
  readonly imports: readonly Import[];
  readonly starExports: readonly number[];
  readonly references: readonly Reference[];
  readonly functions: readonly FunctionSpan[];
  /** The comment the file opens with, or nothing. */
  readonly opening: string;
  readonly tripleSlash: readonly number[];
}

interface Entry {
  readonly importName: { readonly name: string | null };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Visits each node with the nodes above it, the nearest first. */
function walk(
  node: Node,
  above: readonly Node[],
  visit: (node: Node, above: readonly Node[]) => void,
) {
  visit(node, above);
  const inner = [node, ...above];
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, inner, visit);
}

const named = (node: unknown): string =>
  isNode(node) && typeof node.name === 'string' ? node.name : '';

/** `a.b` and `a: b` use the word `b` and `a` without looking it up. */
function isLookup(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier' || !parent) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  const isKey = 'key' in parent && parent.key === node && parent.computed !== true;
  return !isKey || parent.shorthand === true;
}

function referenceText(node: Node, parent: Node | undefined): string {
  const name = named(node);
  if (parent?.type === 'MemberExpression' && parent.object === node)
    return parent.computed === true ? `${name}[…]` : `${name}.${named(parent.property)}`;
  if (parent?.callee !== node) return name;
  const args = (parent.arguments as unknown[]).length > 0 ? '…' : '';
  return parent.type === 'NewExpression' ? `new ${name}(${args})` : `${name}(${args})`;
}

const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** The name a call hangs on: `test` in `test.each(cases)(title, body)`. */
function calledName(node: unknown): string {
  let callee = isNode(node) && node.type === 'CallExpression' ? node.callee : undefined;
  while (isNode(callee) && callee.type !== 'Identifier') callee = callee.object ?? callee.callee;
  return named(callee);
}

/** A chapter of tests, or a suite that takes a factory: a list, not a thought to hold in mind. */
function isChapter(node: Node): boolean {
  const statements = isNode(node.body) ? node.body.body : undefined;
  return (
    Array.isArray(statements) &&
    statements.some(({ expression }) => /^(describe|test|it)$/.test(calledName(expression)))
  );
}

function functionName(node: Node, parent: Node | undefined): string {
  return named(node.id) || named(parent?.key) || named(parent?.id) || 'anonymous';
}

function read(file: File): Source {
  const { module, program, comments } = parseSync(file.path, file.text);
  const lineEnds = [...file.text.matchAll(/\n/g)].map((match) => match.index);
  const lineOf = (offset: number): number => lineEnds.filter((end) => end < offset).length + 1;
  // `import { type A }` does not count: it leaves an import behind at run time.
  const isTypeOnly = (start: number) => /^(import|export)\s+type\b/.test(file.text.slice(start));
  const imports: Import[] = [];
  const references: Reference[] = [];
  const functions: FunctionSpan[] = [];

  const addStatic = (specifier: string, entries: readonly Entry[], start: number) => {
    const names = entries.flatMap(({ importName }) => importName.name ?? []);
    const typeOnly = isTypeOnly(start);
    imports.push({ specifier, names, typeOnly, dynamic: false, line: lineOf(start) });
  };

  for (const { moduleRequest, entries, start } of module.staticImports)
    addStatic(moduleRequest.value, entries, start);
  for (const { entries, start } of module.staticExports) {
    const specifier = entries[0]?.moduleRequest?.value;
    if (specifier !== undefined) addStatic(specifier, entries, start);
  }

  walk(program as unknown as Node, [], (node, [parent]) => {
    const line = () => lineOf(node.start);
    if (node.type === 'ImportExpression' || node.type === 'TSImportType') {
      const typeOnly = node.type === 'TSImportType';
      const source = node.source;
      const specifier = String((isNode(source) && source.value) ?? '');
      imports.push({ specifier, names: [], typeOnly, dynamic: !typeOnly, line: line() });
    }
    if (isLookup(node, parent))
      references.push({ text: referenceText(node, parent), line: line() });
    if (functionTypes.has(node.type) && !isChapter(node)) {
      const lines = lineOf(node.end) - line() + 1;
      functions.push({ name: functionName(node, parent), line: line(), lines });
    }
  });

  const first = comments[0];
  const before = file.text.slice(program.hashbang?.end ?? 0, first?.start ?? 0);
  return {
    imports,
    references,
    functions,
    starExports: module.staticExports
      .filter(({ entries }) => entries.some((entry) => entry.importName.kind.startsWith('All')))
      .map(({ start }) => lineOf(start)),
    opening: first && before.trim() === '' ? first.value.trim() : '',
    tripleSlash: comments
      .filter(({ type, value }) => type === 'Line' && /^\/\s*<reference/.test(value))
      .map(({ start }) => lineOf(start)),
  };
}

const known = new WeakMap<File, Source>();

export function sourceOf(file: File): Source {
  const source = known.get(file) ?? read(file);
  known.set(file, source);
  return source;
}
