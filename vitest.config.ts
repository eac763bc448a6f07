/**
 * One vitest project per package and one for `test/`, all run against the sources: a failing test
 * then points at the line to change, and no build has to be fresh before a test means anything.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const folders = readdirSync(new URL('packages', import.meta.url));
const sourceOf = (folder: string) =>
  fileURLToPath(new URL(`packages/${folder}/src/index.ts`, import.meta.url));
const packageName = (folder: string) => (folder === 'rollcall' ? folder : `@rollcall/${folder}`);

const alias = folders.map((folder) => ({
  find: new RegExp(`^${packageName(folder)}$`),
  replacement: sourceOf(folder),
}));

/** Without git there is no commit to draw from, and any fixed number will do. */
function seedOfCommit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  return String(Number.parseInt(stdout || '0', 16));
}

// Real sockets and real processes: one file at a time and after all the rest, so that a bound in
// seconds measures Rollcall and not the load of the other tests.
const alone = (groupOrder: number) => ({ fileParallelism: false, sequence: { groupOrder } });
const sockets = 'transport-websocket';

// What sees packages as built, as their users do.
const built = ['test/public-api.test.ts', 'test/processes/**/*.test.ts'];

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: 'test/seed.ts',
    env: { ROLLCALL_SEED: process.env.ROLLCALL_SEED ?? seedOfCommit() },
    // For what hangs, not for what is slow: on a busy machine a thousand random cases take a while.
    testTimeout: 60_000,
    projects: [
      ...folders.map((folder) => ({
        extends: true as const,
        test: {
          name: folder,
          include: [`packages/${folder}/src/**/*.test.ts`],
          ...(folder === sockets ? alone(1) : {}),
        },
      })),
      {
        extends: true,
        test: { name: 'test', include: ['test/**/*.test.ts'], exclude: built, ...alone(2) },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: built,
          globalSetup: 'test/build.ts',
          ...alone(3),
        },
      },
    ],
  },
});
