/**
 * Who may import whom. The compiler and the package manager hold most of these arrows already;
 * what is here says them in one table and covers what is left: a type-only import of a sibling, a
 * deep import, a circle of files.
 */
import { posix } from 'node:path';
import { type Import, sourceOf } from './source.js';
import { type File, type Finding, isSource, isTest, type Rule, type Tree } from './tree.js';

const leaves = ['@rollcall/failure-detector', '@rollcall/convergence'];

/**
 * Arrows by zone. A zone is a package, or a folder inside one with a wall of its own. `type x` may
 * be imported for its types alone, `import() x` on demand alone, `bin x` by the package's command.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'failure-detector': [],
  convergence: [],
  'core/src/membership': leaves,
  core: [...leaves, 'rxjs'],
  'transport-websocket': ['@rollcall/core', 'ws', 'superjson', 'type pino', 'node:'],
  routing: ['@rollcall/core', 'rxjs'],
  management: ['@rollcall/core', 'rxjs', 'prom-client', 'node:'],
  // The model checker explores the very rules that ship, beneath the machine; the studies run detectors alone.
  simulator: [...leaves, '@rollcall/core', 'rxjs', 'pure-rand', 'bin node:'],
  rollcall: [
    ...leaves,
    '@rollcall/core',
    '@rollcall/transport-websocket',
    '@rollcall/management',
    'import() @rollcall/simulator',
    'rxjs',
    'pino',
    'pino-pretty',
    'commander',
    'node:',
  ],
};
const testsMayAlso = ['vitest', 'fast-check', 'node:'];

/** Folders inside a package that a relative import may enter from outside, but not leave. */
const walled = ['core/src/membership'];

function zoneOf(path: string): string | undefined {
  const inPackages = /^packages\/([^/]+\/src\/.+)$/.exec(path)?.[1];
  return (
    inPackages &&
    (walled.find((zone) => inPackages.startsWith(`${zone}/`)) ?? inPackages.split('/')[0])
  );
}

/** `@scope/name/deep` and `name/deep` belong to a package; everything of Node is `node:`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const isRelative = ({ specifier }: Import): boolean => /^\.\.?(\/|$)/.test(specifier);
const isOurs = (name: string): boolean => name === 'rollcall' || name.startsWith('@rollcall/');
const target = (file: File, { specifier }: Import): string =>
  posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');

/** How the arrow table would have to word it for this import to be fine. */
function wordings(file: File, wanted: Import): string[] {
  const name = packageOf(wanted.specifier);
  const words = [name];
  if (wanted.typeOnly) words.push(`type ${name}`);
  if (wanted.dynamic) words.push(`import() ${name}`);
  if (/^(bin|main)\.ts$/.test(posix.basename(file.path))) words.push(`bin ${name}`);
  return words;
}

function followsArrows(file: File, wanted: Import): string | undefined {
  const from = zoneOf(file.path);
  if (isRelative(wanted)) {
    const to = zoneOf(target(file, wanted));
    const entersWall = to !== undefined && walled.includes(to) && to.startsWith(`${from}/`);
    return from === to || entersWall ? undefined : 'leaves its package; use the public name';
  }
  const name = packageOf(wanted.specifier);
  if (isOurs(name) && name !== wanted.specifier) return 'is deeper than the public name';
  if (from === undefined) return undefined;
  const allowed = [...(arrows[from] ?? []), ...(isTest(file) ? testsMayAlso : [])];
  return wordings(file, wanted).some((wording) => allowed.includes(wording))
    ? undefined
    : `is not among what ${from} may import`;
}

function declaredFor(file: File, tree: Tree): Set<string> {
  const folder = /^(packages|examples)\/[^/]+\//.exec(file.path)?.[0] ?? '';
  const read = (path: string, ...kinds: string[]): string[] => {
    const manifest = JSON.parse(tree.find((other) => other.path === path)?.text ?? '{}');
    return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  };
  const own = read(
    `${folder}package.json`,
    'dependencies',
    'peerDependencies',
    'optionalDependencies',
  );
  if (!isTest(file) && folder !== '') return new Set(own);
  const forTests = read(`${folder}package.json`, 'devDependencies');
  return new Set([...own, ...forTests, ...read('package.json', 'devDependencies')]);
}

function eachImport(
  tree: Tree,
  judge: (file: File, wanted: Import) => string | undefined,
): Finding[] {
  return tree.filter(isSource).flatMap((file) =>
    sourceOf(file).imports.flatMap((wanted) => {
      const complaint = judge(file, wanted);
      if (complaint === undefined) return [];
      return [{ path: file.path, line: wanted.line, says: `'${wanted.specifier}' ${complaint}` }];
    }),
  );
}

/** Depth first; an edge back into the path walked so far closes a circle. */
function findCircles(tree: Tree): Finding[] {
  const files = new Map(tree.filter(isSource).map((file) => [file.path, file]));
  const done = new Set<string>();
  const findings: Finding[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const file = files.get(path);
    if (!file || done.has(path)) return;
    if (trail.includes(path)) {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      findings.push({ path, says: circle.join(' imports ') });
      return;
    }
    for (const wanted of sourceOf(file).imports)
      if (isRelative(wanted) && !wanted.typeOnly) visit(target(file, wanted), [...trail, path]);
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return findings;
}

export const arrowRules: readonly Rule[] = [
  {
    name: 'imports follow the arrows',
    why: 'A dependency that points sideways or up makes two packages one.',
    // `.ci/` is no part of the program: it sets up what is not built yet.
    check: (tree) =>
      eachImport(
        tree.filter(({ path }) => !path.startsWith('.ci/')),
        followsArrows,
      ),
  },
  {
    name: 'imports are declared',
    why: 'What is not in package.json is there by luck here and missing at the user.',
    check: (tree) =>
      eachImport(tree, (file, wanted) => {
        const name = packageOf(wanted.specifier);
        const fine = isRelative(wanted) || name === 'node:' || declaredFor(file, tree).has(name);
        return fine ? undefined : 'is not declared in package.json';
      }),
  },
  {
    name: 'files do not import in circles',
    why: 'A circle starts in an order nobody chose. Types are gone by then and may point back.',
    check: findCircles,
  },
];
