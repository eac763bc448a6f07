/** Of which kind each option has to be: plain JavaScript hands over anything. */
import { ClusterError } from '@rollcall/core';

export interface OptionShape {
  /** Ends the sentence "NAME takes …". */
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  readonly isNeeded?: boolean;
}

export type OptionShapes = Readonly<Record<string, OptionShape>>;

export const isText = (value: unknown): boolean => typeof value === 'string';

/** Also the holes of a list are looked at. */
export const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && Array.from(value).every(isText);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.every((name) => typeof value[name] === 'function');

/** Throws `badSetting` for an option that nobody knows, is missing or is of another kind. */
export function checkShapes(options: unknown, shapes: OptionShapes): void {
  if (!isObject(options)) {
    const takes = 'options must be an object such as { name, listen, seeds }';
    throw badOption('options', `${takes}, not ${kindOf(options)}`);
  }
  const names = Object.keys(shapes);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray !== undefined) {
    throw badOption(stray, `there is no option '${stray}'; there are ${names.join(', ')}`);
  }
  for (const [name, shape] of Object.entries(shapes)) checkShape(name, options[name], shape);
}

/** An option that is undefined is one that was left out. */
export function checkShape(name: string, value: unknown, shape: OptionShape): void {
  const { takes, fits, isNeeded = false } = shape;
  if (value === undefined ? !isNeeded : fits(value)) return;
  // Only the kind is said: what was given may be a secret.
  const remedy = value === null && !isNeeded ? `: leave ${name} out instead` : '';
  throw badOption(name, `${name} takes ${takes}, not ${kindOf(value)}${remedy}`);
}

const SETTINGS_DEPTH = 8;

/** Throws `badSetting` for a tree that has no end, or in which something hides what it holds. */
export function checkTree(tree: unknown, path: readonly string[] = []): void {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return;
  const name = path.join('.') || 'settings';
  if (Object.prototype.toString.call(tree) !== '[object Object]') {
    const takes = "a plain object such as { heartbeat: { interval: '1s' } }";
    throw badOption(name, `${name} takes settings as ${takes}, not ${kindOf(tree)}`);
  }
  if (path.length > SETTINGS_DEPTH) {
    const takes = "settings are a tree such as { heartbeat: { interval: '1s' } }";
    throw badOption('settings', `settings is nested too deep, at ${name}: ${takes}`);
  }
  for (const [key, value] of Object.entries(tree)) checkTree(value, [...path, key]);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) {
    const odd = Array.from(value).findIndex((each) => !isText(each));
    return odd < 0 ? 'a list' : `a list with ${kindOf(value[odd])} in it`;
  }
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return tag === 'Object' ? 'an object' : `a ${tag} object`;
}

const badOption = (setting: string, message: string): ClusterError =>
  new ClusterError('badSetting', message, { setting });
