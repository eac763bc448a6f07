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

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      ...folders.map((folder) => ({
        extends: true as const,
        test: { name: folder, include: [`packages/${folder}/src/**/*.test.ts`] },
      })),
      { extends: true as const, test: { name: 'test', include: ['test/**/*.test.ts'] } },
    ],
  },
});
