/** `rollcall node --print-settings`: the tree, for each setting a line of values and below it what it does. */
import { PROFILES, type Settings, settingRows } from '@rollcall/core';
import { WIDTH, wrap } from './table.js';

export function printSettings(settings: Settings): string {
  const tree = settings as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const rows = settingRows.map(({ name, setting }) => {
    const [group = '', leaf = ''] = name.split('.');
    const about = setting.agreed ? `${setting.about} (the same at every member)` : setting.about;
    const shown = (value: unknown) => setting.show(value);
    return [name, shown(tree[group]?.[leaf]), shown(setting.default), setting.takes, about];
  });
  const profile = [
    'profile',
    settings.profile,
    PROFILES[0],
    `one of ${PROFILES.join(', ')}`,
    'where a node runs; it chooses the values of what is not given',
  ];
  const perRole = Object.entries(settings.members.minPerRole);
  const roles = (perRole.length > 0 ? perRole : [['<role>', '(none)'] as const]).map(
    ([role, least]) => [
      `members.minPerRole.${role}`,
      String(least),
      '(none)',
      'a whole number',
      'nobody is published as up before this many members with the role are',
    ],
  );
  const peers = Object.entries(settings.peers).flatMap(([address, own]) =>
    Object.entries(own).map(([leaf, value]) => [
      `peers.${address}.${leaf}`,
      leaf === 'threshold' ? String(value) : `${value}ms`,
    ]),
  );
  const overrides = (peers.length > 0 ? peers : [['peers.<address>.<setting>', '(none)']]).map(
    ([name = '', value = '']) => [
      name,
      value,
      '(none)',
      'threshold, acceptablePause or minStdDeviation, as in detector',
      'how the member at this address is judged, where that is not as for all others',
    ],
  );
  const at = rows.findIndex(([name]) => name === 'members.min') + 1;
  rows.splice(at, 0, ...roles);
  rows.push(...overrides);
  return page([HEAD, profile, ...rows]);
}

const HEAD = ['SETTING', 'VALUE', 'DEFAULT', 'TAKES', ''];
const INDENT = '    ';
const UNITS = 'Durations are written with their unit: 500ms, 5s, 10m, 1h.';

/** Wider than this is what few users give: such a cell moves those behind it. */
const WIDEST = [30, 16, 16];

/** The columns before the last two are as wide as they must be; what a setting takes may need several lines. */
function page(rows: readonly (readonly string[])[]): string {
  const widths = WIDEST.map((widest, column) =>
    Math.min(widest, Math.max(...rows.map((row) => (row[column] ?? '').length))),
  );
  const before = widths.reduce((sum, width) => sum + width + 2, 0);
  const lines = rows.flatMap(([name = '', value = '', fallback = '', takes = '', about = '']) => {
    const cells = [name, value, fallback].map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const [first = '', ...more] = wrap(takes, WIDTH - before);
    return [
      [...cells, first].join('  '),
      ...more.map((line) => ' '.repeat(before) + line),
      ...wrap(about, WIDTH - INDENT.length).map((line) => INDENT + line),
    ];
  });
  return `${[...lines, '', UNITS].map((line) => `${line.trimEnd()}\n`).join('')}`;
}
