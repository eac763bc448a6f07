/**
 * `npm test`: everything that is checked, in one run. Each check outside vitest counts as one test;
 * the last line is "N passed, N failed".
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { build, install, pnpm, root, run, timed, tool, tsc } from './setup.mjs';

const cache = `${root}/node_modules/.cache`;
const packed = `${cache}/packed`;
const report = `${cache}/vitest.json`;
/** Seeds 0 to 499, the same in every run; vitest adds some that are this commit's own. */
const HISTORIES = '500';
let passed = 0;
let failed = 0;

function count(ok) {
  if (ok) passed++;
  else failed++;
  return ok;
}

const check = async (title, work) => count((await timed(title, work)).ok);

/** Packs as for publishing, so that what is judged is what a user would get. */
function pack() {
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  return pnpm('--recursive', '--filter', './packages/*', 'pack', '--pack-destination', packed);
}

async function checkPacked(tarball) {
  const path = `${packed}/${tarball}`;
  const name = tarball.replace(/-[\d.]+\.tgz$/, '');
  await check(`${name} publishes cleanly`, () => tool('publint', 'run', path, '--strict'));
  await check(`${name} has types that resolve`, () =>
    tool('attw', path, '--profile', 'esm-only', '--no-color'),
  );
}

function runVitest() {
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...reporters];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** A file that could not be loaded has no tests to count, and counts as one that failed. */
function countVitest(ok) {
  if (!existsSync(report)) return count(false);
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failures = numFailedTests + unloaded.length;
  const ranNothing = numPassedTests + failures === 0;
  passed += numPassedTests;
  // Vitest also fails for what belongs to no test, such as an error nobody handled.
  failed += ok && !ranNothing ? failures : Math.max(1, failures);
}

/** The rules and the nodes, by the very commands that are there for anybody. */
async function explore() {
  const node = (file, ...args) => run(process.execPath, [`${root}/packages/${file}`, ...args]);
  await check('the rules, explored state by state', () => node('simulator/dist/model/main.js'));
  await check(`${HISTORIES} random histories of a cluster`, () =>
    node('rollcall/dist/bin.js', 'simulate', '--swarm', HISTORIES),
  );
}

async function checkAll() {
  // Vitest and knip ask for more than Rollcall itself does.
  if (!count(await install('20.19.0'))) return;
  count(await build());
  await check('lint and format', () => tool('biome', 'check', '--error-on-warnings', '.'));
  await check('types, of tests too', () => tsc('-b'));
  await check('nothing unused', () => tool('knip'));
  if (await check('packing', pack)) {
    for (const tarball of readdirSync(packed)) await checkPacked(tarball);
  }
  await explore();
  countVitest(await runVitest());
}

await checkAll();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
