import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.testing.js';
import { play } from './transcript.testing.js';

const HEAD = '# A case\n# It tries the language.\n';

const played = (...lines: readonly string[]) => play('a-case.txt', HEAD + lines.join('\n'));

/** What is printed below the last line. */
async function printedLast(...lines: readonly string[]): Promise<readonly string[]> {
  const all = (await played(...lines)).trimEnd().split('\n');
  const from = all.findLastIndex((line) => !line.startsWith(' '));
  return all.slice(from + 1).map((line) => line.trim());
}

describe('a transcript', () => {
  const path = new URL('members-hold-one-state-the-oldest-first.txt', import.meta.url);
  const name = 'members-hold-one-state-the-oldest-first.txt';
  const text = readFileSync(path, 'utf8');

  test('prints the same each time, and leaves what people wrote as it is', async () => {
    expect(await play(name, text)).toBe(text);
    const bare = text.replace(/^ .*\n/gm, '');
    expect(await play(name, bare)).toBe(text);
  });

  test.each([
    ['another moment', '2013-2019 ms', '2013-2018 ms'],
    ['another member', 'all: c, a, b up; agreed', 'all: a, b, c up; agreed'],
    ['a line too many', 'all: b up', 'all: b up\n    4000 ms         all: b down'],
  ])('that claims %s is not what it prints', async (_, right, wrong) => {
    const claimed = text.replace(right, wrong);
    expect(claimed).not.toBe(text);
    expect(await play(name, claimed)).toBe(text);
  });

  test('chance comes from its own seed', async () => {
    const script = ['start a b', 'run 10s', 'crash b', 'run 6s'];
    expect(await printedLast('seed 2', ...script)).not.toEqual(await printedLast(...script));
  });
});

describe('what is printed', () => {
  test('who says the same at the same time is one line, and so is of whom', async () => {
    const lines = await printedLast('start a b c d e', 'run 10s', 'crash d e', 'run 30s');
    expect(lines.at(-1)).toMatch(/^[\d-]+ ms +all: d, e removed$/);
    const others = await printedLast('start a b c', 'run 10s', 'crash b', 'run 6s');
    expect(others.at(-1)).toMatch(/^14\d+ ms +all: b unreachable$/);
  });

  test('a second run of a node has a number', async () => {
    const script = ['start a b c', 'run 5s', 'crash c', 'restart c', 'run 3s'];
    expect(await printedLast(...script, 'view')).toEqual(['all: a, b, c#2 up; agreed']);
  });

  test('that nothing happened', async () => {
    expect(await printedLast('start a', 'run 5s', 'run 5s')).toEqual(['nothing happens']);
  });

  test('roles and versions that are not plain', async () => {
    const lines = await printedLast('start a roles=x,y version=2.0.0', 'run 1s', 'view');
    expect(lines).toEqual(['a: a (x, y, 2.0.0) up; agreed']);
  });

  test('what was refused, below what was asked', async () => {
    const lines = await printedLast('start a', 'start b cluster=other', 'run 1s', 'down b by a');
    expect(lines).toEqual([expect.stringMatching(/^down b: .*no member/)]);
    const waiting = ['start a b c', 'run 10s', 'crash c', 'run 6s', 'start d', 'run 1s'];
    const early = await printedLast(...waiting, 'leave d by a');
    expect(early).toEqual([expect.stringMatching(/^leave d: .*not up/)]);
  });

  test('a cut, healed in the words that made it; others stay', async () => {
    const alone = 'settings detector.indirectProbes=0';
    const script = [alone, 'start a b c', 'run 10s', 'cut a -> b', 'cut b | c', 'run 6s'];
    const lines = await printedLast(...script, 'heal b | c', 'run 10s', 'view');
    expect(lines).toEqual(['all: a up, suspected (by b); b up, suspected (by a); c up; agreed']);
  });
});

describe('what cannot be read says where it is and what to write', () => {
  const line = (text: string) => `a-case.txt:4: '${text}'`;
  test.each<[text: string, says: string]>([
    ['crsh a', "there is no command 'crsh'; there are seed, settings, seeds, start, restart"],
    ['crash z', "no node 'z' was started above, only a, b; write crash a b"],
    ['crash', 'say which node; write crash a b'],
    ['run soon', "'soon' is no duration: write 500ms, 5s or 2m; write run 5s"],
    ['run', "'' is no duration"],
    ['run 5s more', "nothing is known of 'more' here"],
    ['pause a', 'say which node; write pause a b 3s'],
    ['pause a 3', "'3' is no duration"],
    ['seed 7', 'this stands above the first start'],
    ['settings downing.stableAfter=5s', 'this stands above the first start'],
    ['start c downing.stableAfter', "'downing.stableAfter' is no name: small letters, digits"],
    ['start c downing.stableAfter=soon', 'downing.stableAfter'],
    ['start c colour=red', "a start takes no 'colour'; write start a b [seeds=a,b]"],
    ['restart c', "no node 'c' was started above"],
    ['cut a b', "say what is cut from what, with '|' or '->'; write cut a b | c d"],
    ['cut a | z', "no node 'z' was started above"],
    ['loss 20% a', "nothing is known of 'a' here"],
    ['loss some', "'some' is not a percentage, as in: loss 20%"],
    ['down a', 'say which node is asked; write down a by b'],
    ['leave a from b', "'from' is not 'by' and a node"],
    ['lease broken', 'a lease is one of answering, refusing, forgetful, silent'],
    ['view a', "nothing is known of 'a' here"],
  ])('%s', async (text, says) => {
    const reading = played('start a b', text);
    await expect(reading).rejects.toThrow(line(text));
    await expect(reading).rejects.toThrow(says);
  });

  test('a seed that comes too late, though nobody has started yet', async () => {
    await expect(played('run 1s', 'seed 7')).rejects.toThrow('above all that takes place');
  });

  test.each<[text: string, says: string]>([
    ['start a', 'a runs already'],
    ['heal a | b', 'that is whole; write nothing'],
  ])('%s, only when it is played', async (text, says) => {
    await expect(played('start a b', text)).rejects.toThrow(`${line(text)}: ${says}`);
  });

  test.each<[what: string, path: string, text: string, says: string]>([
    ['a title', 'a-case.txt', 'start a\n', "a-case.txt:1: begin with '# Title'"],
    ['a reason', 'a-case.txt', '# A case\n\nstart a\n', 'why it matters'],
    ['its name', 'other.txt', HEAD, 'other.txt:1: with this title the file is a-case.txt'],
    ['a command above what is printed', 'a-case.txt', `${HEAD}\n  up\n`, 'a-case.txt:4: what is'],
  ])('one that lacks %s', async (_, path, text, says) => {
    await expect(play(path, text)).rejects.toThrow(says);
  });
});

test("the package's page has every command", () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const section = page.split('\n## ').find((each) => each.startsWith('Transcripts\n')) ?? '';
  const named = [...section.matchAll(/^\| `(\w+)/gm)].map(([, command]) => command);
  expect(named).toEqual(Object.keys(COMMANDS));
});
