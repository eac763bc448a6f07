/**
 * Where the story is told. On a terminal the table stays below the last line and is redrawn in
 * place; anywhere else there are lines only, and a table where the story asks for one.
 */

export interface Screen {
  readonly isTerminal: boolean;
  /** One line, or several, that stay. */
  say(text: string): void;
  /** What is below the lines on a terminal; replaces what was there. */
  live(text: string): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function createScreen(terminal: Terminal): Screen {
  const isTerminal = terminal.isTTY === true;
  if (!isTerminal) {
    return { isTerminal, say: (text) => terminal.write(`${text}\n`), live: () => undefined };
  }
  let below: readonly string[] = [];
  const erase = () => (below.length === 0 ? '' : `\u001b[${below.length}F\u001b[J`);
  const fit = (line: string) => line.slice(0, (terminal.columns ?? 80) - 1);
  const drawn = () => below.map((line) => `${line}\n`).join('');
  return {
    isTerminal,
    say(text) {
      terminal.write(`${erase()}${text}\n${drawn()}`);
    },
    live(text) {
      const before = erase();
      // A line that wraps would be two when it is erased.
      below = text === '' ? [] : text.split('\n').map(fit);
      terminal.write(`${before}${drawn()}`);
    },
  };
}
