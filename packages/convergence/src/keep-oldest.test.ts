/** Akka's table for keep-oldest, as in `strategies.test.ts`. B is the oldest unless a row says otherwise. */
import { expect, test } from 'vitest';
import { defaultRules, type Rules } from './index.js';
import { part } from './parting.testing.js';

const rules = (more: Partial<Rules> = {}): Rules => ({
  ...defaultRules,
  observers: 1,
  strategy: 'keep-oldest',
  ...more,
});
const on = rules();
const off = rules({ downIfAlone: false });
const five = 'A:Up3 B:Up1 C:Up2 D:Up4 E:Up5';

test.each<[name: string, views: string | readonly string[], cut: string, stay: string, Rules]>([
  ['the side of the oldest, when it is the larger', five, 'ABC|DE', 'ABC', on],
  ['the side of the oldest, when it is the smaller', five, 'AB|CDE', 'AB', on],
  ['of three parts as well', five, 'AB|CD|E', 'AB', on],
  ['the oldest crashed: the others', five, 'ACDE', 'ACDE', on],
  ['the oldest alone: it goes, the others stay', five, 'B|ACDE', 'ACDE', on],
  ['alone among three', 'A:Up3 B:Up1 C:Up2', 'B|AC', 'AC', on],
  [
    'alone against others that are no longer together: none (as in Akka: each lacks the oldest)',
    five,
    'B|AC|DE',
    '',
    on,
  ],
  [
    'two members, parted: none; each would be alone (Akka: the oldest stays; downIfAlone=off does that)',
    'A:Up2 B:Up1',
    'A|B',
    '',
    on,
  ],
  ['two members, the oldest crashed: none', 'A:Up2 B:Up1', 'A', '', on],
  ['a single member', 'B:Up1', 'B', 'B', on],
  ['off: the oldest alone stays', five, 'B|ACDE', 'B', off],
  ['off: the oldest crashed, all go', five, 'ACDE', '', off],
  ['off: two members, the oldest stays', 'A:Up2 B:Up1', 'A|B', 'B', off],
  [
    'the oldest with the role, who need not be the oldest of all',
    'A:Up3 B:Up1 C:Up2[w] D:Up4[w] E:Up5[w]',
    'ABE|CD',
    'CD',
    rules({ role: 'w' }),
  ],
  [
    'alone among those with the role, whoever else is there: it goes',
    'A:Up3 B:Up1 C:Up2[w] D:Up4[w] E:Up5[w]',
    'ABC|DE',
    'DE',
    rules({ role: 'w' }),
  ],
  ['nobody with the role: none', five, 'ABC|DE', '', rules({ role: 'w' })],
  ['as old as the oldest: the lower address', 'A:Up1 B:Up1 C:Up2 D:Up3', 'AC|BD', 'AC', on],
  [
    'the oldest leaving: it counts (Akka decides twice)',
    'A:Up3 B:Leaving1 C:Up2 D:Up4',
    'AB|CD',
    'AB',
    on,
  ],
  [
    'the oldest exiting: so too (Akka: the next oldest; X04)',
    'A:Up3 B:Exiting1 C:Up2 D:Up4',
    'AB|CD',
    'AB',
    on,
  ],
  ['the oldest exited: the next oldest', 'A:Up3 B:Exited1 C:Up2 D:Up4', 'AC|D', 'AC', on],
  ['the oldest Down: the others if they are all', 'A:Up3 B:Down1 C:Up2 D:Up4', 'ACD', 'ACD', on],
  ['the oldest Down, and one more lost: none (X02)', 'A:Up3 B:Down1 C:Up2 D:Up4', 'AC|D', '', on],
  [
    'the companion of the oldest is leaving: not alone before it has exited (Akka: alone)',
    'A:Up3 B:Up1 C:Leaving2 D:Up4',
    'BC|AD',
    'BC',
    on,
  ],
  ['joining members are no company', 'A:Up3 B:Up1 C:Up2 D:Joining', 'BD|AC', 'AC', on],
  ['and may go with the side that stays', 'A:Up3 B:Up1 C:Up2 D:Joining', 'B|ACD', 'ACD', on],
  [
    'F up with the oldest, joining on the right: alone before the promotion, so BF goes, ACDE stays (Akka: both sides differ and go)',
    [`${five} F:Up9 @9`, `${five} F:Joining @8`],
    'BF|ACDE',
    'ACDE',
    on,
  ],
  [
    'off, F up with the oldest only there: BF',
    [`${five} F:Up9 @9`, `${five} F:Joining @8`],
    'BF|ACDE',
    'BF',
    off,
  ],
])('%s', (_, views, cut, stay, asked) => {
  expect(part(views, cut, asked).stay).toBe(stay);
});
