/** The example in the README runs, and prints what its comments say. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as convergence from './index.js';

test('the first example', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n(.*?)```/s.exec(text)?.[1] ?? '';
  const body = code.replace(
    /import (\{.*?\}) from '@rollcall\/convergence';/s,
    'const $1 = convergence;',
  );
  const printed: unknown[] = [];
  const console = { log: (value: unknown) => printed.push(value) };
  new Function('convergence', 'console', body)(convergence, console);
  expect(printed).toEqual([true, ['Up', 'Up']]);
});
