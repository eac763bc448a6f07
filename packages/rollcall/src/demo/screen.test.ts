import { expect, test } from 'vitest';
import { createScreen } from './screen.js';

function terminal(isTTY: boolean, columns = 80) {
  let written = '';
  return {
    isTTY,
    columns,
    write: (text: string) => {
      written += text;
    },
    take: () => written.replaceAll('\u001b', '^'),
  };
}

test('a terminal keeps the table below the lines', () => {
  const at = terminal(true);
  const screen = createScreen(at);
  screen.live('one\ntwo');
  screen.say('told');
  screen.live('');
  expect(at.take()).toBe('one\ntwo\n^[2F^[Jtold\none\ntwo\n^[2F^[J');
});

test('a line that would wrap is cut, or erasing it would take its neighbour', () => {
  const at = terminal(true, 5);
  createScreen(at).live('123456');
  expect(at.take()).toBe('1234\n');
});

test('anything else gets the lines and nothing to redraw', () => {
  const at = terminal(false);
  const screen = createScreen(at);
  screen.live('one');
  screen.say('told');
  expect([at.take(), screen.isTerminal]).toEqual(['told\n', false]);
});
