/**
 * Each transcript is played, and what it prints held against the file, byte for byte.
 * `npx vitest run packages/simulator/src/transcripts -u` writes what is printed today; read the diff.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { play } from './transcript.testing.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));

test.each(files)('%s', async (name) => {
  const printed = await play(name, readFileSync(`${folder}${name}`, 'utf8'));
  await expect(printed).toMatchFileSnapshot(`${folder}${name}`);
});
