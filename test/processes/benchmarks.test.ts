/**
 * Benchmarks at their smallest: that each still measures what it says. How fast anything is, is not judged here. Those of
 * real processes and of an hour of churn are left to `npm run bench`.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT } from './process-run.testing.js';

const SCRIPT = fileURLToPath(new URL('../bench/run-scenario.mjs', import.meta.url));
const LONG_MS = 120_000;

interface Said {
  readonly figure?: { readonly row: string };
  readonly problem?: string;
}

/** The rows that got a figure, and what went wrong. */
function measured(scenario: string, wanted: readonly string[]) {
  const options = { quick: true, sizes: [10], processes: [], only: wanted, wanted };
  const execArgv = ['--expose-gc', '--min-semi-space-size=64'];
  const given = [scenario, JSON.stringify(options)];
  const child = fork(SCRIPT, given, { cwd: ROOT, execArgv, stdio: 'ignore' });
  const rows = new Set<string>();
  const problems: string[] = [];
  child.on('message', (said: Said) => {
    if (said.figure !== undefined) rows.add(said.figure.row);
    if (said.problem !== undefined) problems.push(said.problem);
  });
  return new Promise((resolve) => {
    child.once('close', () => resolve({ rows: [...rows].sort(), problems }));
  });
}

test.each([
  ['phi', ['phi']],
  ['states', ['entry', 'merge']],
  ['routing', ['owner', 'pick', 'rebuild']],
  ['heartbeat', ['heartbeat']],
  ['simulated', ['change', 'crash', 'join', 'leave', 'messages', 'simulator']],
])(
  'the benchmark %s measures %j',
  async (scenario, rows) => {
    expect(await measured(scenario, rows)).toEqual({ rows, problems: [] });
  },
  LONG_MS,
);
