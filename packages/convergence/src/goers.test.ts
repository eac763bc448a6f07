import { describe, expect, test } from 'vitest';
import { defaultRules, goers, type Rules } from './index.js';
import { namesOf, parse } from './table.testing.js';

const go = (line: string, rules: Partial<Rules> = {}) =>
  namesOf(goers(parse(line), { ...defaultRules, ...rules }));

describe('who goes', () => {
  test.each([
    ['nobody, while nobody is accused', 'A:Up1>D B:Up2 C:Up3 D:Up4 E:Up5', ''],
    ['whoever is lost', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5', 'D'],
    ['the same, whoever else begins to miss it', 'A:Up1>D B:Up2>D C:Up3>D D:Up4 E:Up5', 'D'],
    ['a newcomer too', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 F:Joining>D', 'D'],
    ['the same when a flag silences an accuser', 'A:Up1>D B:Up2!>D C:Up3>D D:Up4 E:Up5', 'D'],
    ['when a voter is Down', 'A:Up1>D B:Up2>D C:Down3 D:Up4 E:Up5', 'D'],
    ['or has exited', 'A:Up1>D B:Up2>D C:Exited3 D:Up4 E:Up5', 'D'],
    ['or while a promotion is not committed', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 @5', 'D'],
    ['more, when more are lost', 'A:Up1>D,F B:Up2>D,F C:Up3 D:Up4 E:Up5 F:Joining', 'DF'],
    [
      'everybody, where nobody is quorate',
      'A:Up1>C,D B:Up2>C,D C:Up3 D:Up4>A,B E:Up5>A,B,C F:Up6>B,A',
      'ABCDEF',
    ],
  ])('%s', (_, line, expected) => {
    expect(go(line)).toBe(expected);
  });

  test('the other half of a tie, once the lease is granted and before', () => {
    const line = 'A:Up1>C,D B:Up2>C,D C:Up3 D:Up4';
    expect(go(line, { strategy: 'lease-majority' })).toBe('CD');
  });
});
