import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as simulator from './index.js';

test("the README's ten lines run and print what it says they print", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code = '', output = ''] = /```ts\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
  const printed: string[] = [];
  const names = Object.keys(simulator);
  const body = code.replace(/^import .*$/m, '');
  const run = new Function('console', ...names, `return (async () => {${body}})()`);
  await run({ log: (text: string) => printed.push(text) }, ...Object.values(simulator));
  // Digests change with the encoding of a state, uids with the order of draws: neither is promised.
  const plain = (text: string) =>
    text
      .replace(/(digest |#)[0-9a-f]+/g, '$1…')
      .replace(/(no quorum \(.*?\)).*$/gm, '$1')
      .trim();
  expect(plain(printed.join('\n'))).toBe(plain(output));
});
