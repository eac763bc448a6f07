/** `npm run drill` at its smallest, on machines that allow for it: Linux, root, ip and iptables. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT } from './process-run.testing.js';

const SCRIPT = fileURLToPath(new URL('../drill/main.mjs', import.meta.url));
const LONG_MS = 240_000;

function drill(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('--help teaches, and what cannot be used is named', () => {
  expect(drill('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('iptables') });
  for (const [flag, value] of [
    ['--loss', 'half'],
    ['--loss', '95'],
    ['--loss', '10,'],
    ['--loss', ''],
    ['--seconds', '1'],
    ['--nodes', '2'],
  ] as const) {
    const { status, stderr } = drill(flag, value);
    expect(status).toBe(64);
    expect(stderr).toContain(`drill: ${flag} takes`);
  }
});

test(
  'five nodes that lose half their packets call nobody unreachable, or it says why it cannot be tried here',
  () => {
    const given = ['--loss', '50', '--seconds', '20', '--nodes', '5', '--no-crash', '--json'];
    const { status, stdout, stderr } = drill(...given);
    if (/^drill: it takes /.test(stderr)) {
      expect([status, stdout]).toEqual([1, '']);
      return;
    }
    expect(status, stderr).toBe(0);
    const [datagrams, links] = JSON.parse(stdout);
    expect(datagrams).toMatchObject({ loss: 50, isByLinksAlone: false, unreachable: 0 });
    expect(datagrams.sentAgain).toBeGreaterThan(0);
    expect(links).toMatchObject({ loss: 50, isByLinksAlone: true });
  },
  LONG_MS,
);
