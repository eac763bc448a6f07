/**
 * From bare Node and npm to a built clone: the pinned pnpm, the locked dependencies, a fresh build.
 * Each step is left to the tool that knows best whether there is anything to do, so a second run
 * takes a second and needs no network. Imports nothing but Node: it runs before all else exists.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const workspace = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const pnpmVersion = workspace.packageManager.split('@')[1];

// Beside this script and not in node_modules, which pnpm may decide to lay anew while it runs.
const pnpmFolder = fileURLToPath(new URL('.pnpm', import.meta.url));
const pnpmPackage = `${pnpmFolder}/node_modules/pnpm`;
// The entry that runs on Node: it works where npm does not run install scripts.
const pnpmEntry = `${pnpmPackage}/bin/pnpm.mjs`;

// By default npm and pnpm wait for minutes before they say that there is no network.
const impatience = { 'fetch-retry-mintimeout': 500, 'fetch-retry-maxtimeout': 2_000 };
const impatient = (prefix) =>
  Object.entries(impatience).map(([setting, ms]) => `${prefix}${setting}=${ms}`);

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|ERR_PNPM_META_FETCH_FAIL/;

/** Runs a command in the clone's root, silently; its output comes back when it ends. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: `${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}

export const pnpm = (...args) => run(process.execPath, [pnpmEntry, ...args]);
export const tool = (name, ...args) =>
  run(`${root}/node_modules/.bin/${name}`, args, { shell: process.platform === 'win32' });

/** Says what begins, now and then that it goes on, and how it went: `building … 5 s … ok, 7.1 s`. */
export async function timed(title, work) {
  const startedMs = performance.now();
  const seconds = (digits) => `${((performance.now() - startedMs) / 1000).toFixed(digits)} s`;
  process.stdout.write(`${title} … `);
  // After 5 s, 10, 20, and so on: often enough to see that it lives, seldom enough for a line.
  let goingOn;
  const tell = (afterMs) => {
    goingOn = setTimeout(
      () => {
        process.stdout.write(`${seconds(0)} … `);
        tell(2 * afterMs);
      },
      startedMs + afterMs - performance.now(),
    );
  };
  tell(5_000);
  const result = await work();
  clearTimeout(goingOn);
  process.stdout.write(`${result.ok ? 'ok' : 'FAILED'}, ${seconds(1)}\n`);
  if (!result.ok) process.stdout.write(`\n${result.output}\n\n`);
  return result;
}

function fetchPnpm() {
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--ignore-scripts'];
  const args = [
    'install',
    '--prefix',
    pnpmFolder,
    ...quiet,
    ...impatient('--'),
    `pnpm@${pnpmVersion}`,
  ];
  return run('npm', args, { shell: process.platform === 'win32' });
}

function isPnpmHere() {
  const manifest = `${pnpmPackage}/package.json`;
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === pnpmVersion;
}

async function fetched(title, work) {
  const { ok, output } = await timed(title, work);
  if (!ok && unreachable.test(output)) {
    console.error('The npm registry cannot be reached. The first run needs it; later runs do not.');
  }
  return ok;
}

/** Whether everything that is not ours is in place afterwards. */
export async function install(nodeMin = '20.0.0') {
  if (process.versions.node.localeCompare(nodeMin, 'en', { numeric: true }) < 0) {
    console.error(`This needs Node ${nodeMin} or later; here is Node ${process.versions.node}.`);
    return false;
  }
  if (!isPnpmHere() && !(await fetched(`fetching pnpm ${pnpmVersion}`, fetchPnpm))) return false;
  return fetched('installing dependencies', () =>
    pnpm('install', '--frozen-lockfile', '--prefer-offline', ...impatient('--config.')),
  );
}

/** By its file: the first Node 20 does not run an extensionless `bin/tsc`. */
export const tsc = (...args) =>
  run(process.execPath, [`${root}/node_modules/typescript/lib/tsc.js`, ...args]);

/** The packages without their tests: a demo need not wait for those. */
export async function build() {
  const { ok } = await timed('building', () => tsc('-b', 'tsconfig.build.json'));
  return ok;
}
