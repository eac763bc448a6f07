/**
 * Of which kind each option and argument has to be: plain JavaScript hands over anything. It is in core
 * because that is the lowest room with commands for a user; whoever wires a node up checks its options with it.
 */
import { ClusterError } from './errors.js';
import { nearestTo } from './membership/nearest-name.js';

export interface OptionShape {
  /** Ends the sentence "NAME takes …". */
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  readonly isNeeded?: boolean;
  /** A number that does not fit may be said: it is no secret. */
  readonly isOpen?: boolean;
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

export const SIGNAL: OptionShape = {
  takes: 'an AbortSignal, such as AbortSignal.timeout(60_000)',
  fits: (value) =>
    isObject(value) &&
    typeof value.aborted === 'boolean' &&
    hasMethods('addEventListener', 'removeEventListener')(value),
};

/**
 * Throws `badSetting` for an option that nobody knows, is missing or is of another kind. `like` shows
 * what options look like: something else with nothing to read in it, a signal say, would pass for none.
 */
export function checkShapes(options: unknown, shapes: OptionShapes, like: string): void {
  if (!isObject(options) || !['Object', 'Module'].includes(tagOf(options))) {
    const takes = `options must be an object such as ${like}`;
    throw badOption('options', `${takes}, not ${kindOf(options)}`);
  }
  const names = Object.keys(shapes);
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray !== undefined) throw badOption(stray, strayText(stray, names));
  for (const [name, shape] of Object.entries(shapes)) checkShape(name, options[name], shape);
}

function strayText(stray: string, names: readonly string[]): string {
  const none = `there is no option '${stray}'`;
  if (names.length < 2) return `${none}; there is ${names.join()}`;
  return `${none}; the nearest is ${nearestTo(stray, names)}, of ${names.join(', ')}`;
}

/** An option that is undefined is one that was left out. */
export function checkShape(name: string, value: unknown, shape: OptionShape): void {
  const { takes, fits, isNeeded = false, isOpen = false } = shape;
  if (value === undefined ? !isNeeded : fits(value)) return;
  // As a rule only the kind is said: what was given may be a secret.
  const given = isOpen && typeof value === 'number' ? String(value) : kindOf(value);
  const remedy = value === null && !isNeeded ? `: leave ${name} out instead` : '';
  throw badOption(name, `${name} takes ${takes}, not ${given}${remedy}`);
}

const SETTINGS_DEPTH = 8;

/** Throws `badSetting` for a tree that has no end, or in which something hides what it holds. */
export function checkTree(tree: unknown, path: readonly string[] = []): void {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return;
  const name = path.join('.') || 'settings';
  if (tagOf(tree) !== 'Object') {
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
  const tag = tagOf(value);
  if (tag === 'Object') return 'an object';
  return `${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag} object`;
}

/** `Object`, `Map`, `AbortSignal`: what it says that it is. */
const tagOf = (value: object): string =>
  Object.prototype.toString.call(value).slice('[object '.length, -1);

const badOption = (setting: string, message: string): ClusterError =>
  new ClusterError('badSetting', message, { setting });
