/**
 * One vitest project per package and one for `test/`, all run against the sources: a failing test
 * then points at the line to change, and no build has to be fresh before a test means anything.
 */
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

// What sees packages as built, as their users do. One file at a time and after all the rest, so that
// a bound in seconds measures Rollcall and not the load of the other tests.
const built = ['test/public-api.test.ts', 'test/processes/**/*.test.ts'];

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      ...folders.map((folder) => ({
        extends: true as const,
        test: { name: folder, include: [`packages/${folder}/src/**/*.test.ts`] },
      })),
      {
        extends: true,
        test: { name: 'test', include: ['test/**/*.test.ts'], exclude: built },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: built,
          globalSetup: 'test/build.ts',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
  },
});
