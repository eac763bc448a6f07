/** `rollcall node --print-settings`: the tree, a line each. */
import { PROFILES, type Settings, settingRows } from '@rollcall/core';
import { table } from './table.js';

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
  const at = rows.findIndex(([name]) => name === 'members.min') + 1;
  rows.splice(at, 0, ...roles);
  return table(['SETTING', 'VALUE', 'DEFAULT', 'TAKES', 'WHAT IT DOES'], [profile, ...rows]);
}
