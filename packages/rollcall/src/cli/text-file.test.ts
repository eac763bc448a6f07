import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FakeWorld } from './fake-world.testing.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const AT = 'ws://127.0.0.1:7351';
const NODE = ['node', '--name', 'demo', '--listen', AT, '--seed', AT];

describe('a file that is not what it should be is exit 2', () => {
  const management = ['--management', '127.0.0.1:0', '--management-token-file'];
  test.each<[string, string[], string | Uint8Array, string]>([
    ['an empty secret', ['--secret-file'], '\n', 'is empty'],
    [
      'a secret of bytes',
      ['--secret-file'],
      Uint8Array.of(0xc3, 0x28, 0xff),
      'openssl rand -hex 32',
    ],
    ['a secret of 4 KiB and a byte', ['--secret-file'], 'x'.repeat(4_097), '4 KiB'],
    ['a token of bytes', management, Uint8Array.of(0xfe), 'openssl rand -hex 32'],
    ['a token of 4 KiB and a byte', management, 'x'.repeat(4_097), '4 KiB'],
    ['settings of bytes', ['--config'], Uint8Array.of(0x22, 0xff, 0x22), 'UTF-8'],
    ['settings of a MiB and a byte', ['--config'], ' '.repeat(2 ** 20 + 1), '1024 KiB'],
    ['authorities of a MiB and a byte', ['--tls-ca'], ' '.repeat(2 ** 20 + 1), '1024 KiB'],
  ])('%s', async (name, flags, content, said) => {
    const world = new FakeWorld();
    expect(await world.run(...NODE, ...flags, file(name, content))).toBe(2);
    expect(world.complained).toContain(flags.at(-1));
    expect(world.complained).toContain(said);
    expect(world.started).toBeUndefined();
  });

  test.skipIf(!existsSync('/dev/zero'))('one without an end is not read to it', async () => {
    for (const flag of ['--secret-file', '--config', '--tls-ca']) {
      const world = new FakeWorld();
      expect(await world.run(...NODE, flag, '/dev/zero')).toBe(2);
      expect(world.complained).toContain('is larger than');
    }
  });

  test('a secret of 4 KiB is one', async () => {
    const world = new FakeWorld();
    world.cluster.end('left');
    expect(await world.run(...NODE, '--secret-file', file('long', 'x'.repeat(4_096)))).toBe(0);
  });
});
