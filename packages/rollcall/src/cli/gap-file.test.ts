import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGaps } from './gap-file.js';

const gaps = (text: string) => {
  const file = parseGaps(text, 'gaps');
  return file.kind === 'gaps' ? file.gapsMs : file;
};

describe('a file of gaps', () => {
  test.each([
    ['a number a line', '1003.2\n998.7\n', [1003.2, 998.7]],
    ['a heading, remarks, empty lines', 'gapMs\n# from n1\n\n1e3\n 998. \r\n', [1_000, 998]],
    ['a quoted heading', '"gap_ms"\n5', [5]],
    ['JSON', ' [1003.2,\n 998.7]', [1003.2, 998.7]],
    ['a gap of 0 among others', '0\n5', [0, 5]],
  ])('%s', (_, text, read) => {
    expect(gaps(text)).toEqual(read);
  });

  test('either way is read as it was written', () => {
    const numbers = fc.array(fc.double({ min: 0.001, max: 1e12, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, (written) => {
        expect(gaps(written.join('\n'))).toEqual(written);
        expect(gaps(JSON.stringify(written, null, 2))).toEqual(written);
      }),
    );
  });

  test.each([
    ['a word', 'gapMs\n1000\nsoon\n', "line 3: 'soon' is no gap"],
    ['a second heading', 'gapMs\ngapMs\n', "line 2: 'gapMs' is no gap"],
    ['a negative number', '1000\n-5', "line 2: '-5' is no gap"],
    ['a number and its unit', '1000ms', "line 1: '1000ms' is no gap"],
    ['longer than 31 years', '1e13', "line 1: '1e13' is no gap"],
    ['no number', 'NaN\n1000\n', "line 1: 'NaN' is no gap"],
    ['no number by another name', 'null\n1000\n', "line 1: 'null' is no gap"],
    ['no number in quotes', '"nan"\n1000\n', 'line 1: \'"nan"\' is no gap'],
    ['no end', '# from n1\nInfinity\n1000\n', "line 2: 'Infinity' is no gap"],
    ['no number after a heading', 'gapMs\nNaN\n', "line 2: 'NaN' is no gap"],
    ['two columns', 'n2,1000\n', "line 1: 'n2,1000' has several columns"],
    ['a long line', `1\n${'x'.repeat(500)} y`, `line 2: '${'x'.repeat(40)}…'`],
    ['nothing', '\n# nothing\n', 'has no gaps in it'],
    ['an empty list', '[]', 'has no gaps in it'],
    ['no time at all', '0\n0\n', 'only gaps of 0 ms'],
    ['a word in a list', '[1000,\n998,\n"soon"]', `line 3: '"soon"' is no gap`],
    ['a list in a list', '[1000,\n[998]]', "line 2: '[998]' is no gap"],
    ['a missing number', '[1000,\nnull]', "line 2: 'null' is no gap"],
    ['JSON that breaks off', '[1000,\n998', 'line 2: it begins like JSON'],
    ['JSON with a slip', '[1000,\n998,\n\n,5]', 'line 4: it begins like JSON'],
    ['another object', '\n{"members": []}', 'line 2: JSON is a list of numbers'],
    ['links that are none', '{"detector":{"intervalMs":1000},"links":[null]}', 'link 1 of 1'],
    ['links without their gaps', '{"detector":{"intervalMs":1000},"links":[{}]}', 'link 1 of 1'],
  ])('%s is refused with its line and the reason', (_, text, reason) => {
    expect(() => gaps(text)).toThrow(reason);
    expect(() => gaps(text)).toThrow('--file gaps');
  });
});
