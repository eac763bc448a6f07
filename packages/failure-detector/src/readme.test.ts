import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as published from './index.js';

it('the example in the README prints what its comments say', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const body = example.replace(/import (\{.*?\}) from .*/, 'const $1 = published;');
  const printed: string[] = [];
  const console = { log: (...words: unknown[]) => printed.push(words.join(' ')) };
  new Function('published', 'console', body)(published, console);
  const promised = [...example.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line);
  expect(printed).toEqual(promised);
  expect(promised).toHaveLength(4);
});
