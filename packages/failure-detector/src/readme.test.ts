import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as published from './index.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example);

it.each([
  ['detectors', 0, 4],
  ['SWIM', 1, 3],
])('the example of %s in the README prints what its comments say', (_, index, lines) => {
  const example = examples[index] ?? '';
  const body = example.replace(/import (\{.*?\}) from .*/, 'const $1 = published;');
  const printed: string[] = [];
  const console = { log: (...words: unknown[]) => printed.push(words.join(' ')) };
  new Function('published', 'console', body)(published, console);
  const promised = [...example.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line);
  expect(printed).toEqual(promised);
  expect(promised).toHaveLength(lines);
});
