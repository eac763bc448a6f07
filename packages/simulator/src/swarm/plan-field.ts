/** Checks of what stands in a plan. Each throws an Error that names the field, by its path, and what it takes. */

/** Says nothing of a value that can be used. */
export type Check = (value: unknown, path: string) => void;
export type Fields = Readonly<Record<string, Check>>;

/** Longest that a complaint repeats of what it was given. */
const SHOWN_MAX = 60;

export function refuse(path: string, takes: string, value: unknown): never {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  throw new Error(`${path} takes ${takes}, not ${shown}`);
}

/** An object with all of these fields, perhaps with some of the others, and with nothing else. */
export const object =
  (what: string, needed: Fields, others: Fields = {}): Check =>
  (value, path) => {
    const found = entriesOf(what, value, path);
    const fields = { ...needed, ...others };
    const names = Object.keys(fields).join(', ');
    const missing = Object.keys(needed).filter((name) => !found.has(name));
    if (missing.length > 0) {
      throw new Error(`${path || 'it'} lacks ${missing.join(', ')}: ${what} has ${names}`);
    }
    for (const [name, each] of found) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const at = path === '' ? name : `${path}.${name}`;
      if (check === undefined) throw new Error(`there is no ${at}: ${what} has ${names}`);
      check(each, at);
    }
  };

/** What an object holds, by name. */
export function entriesOf(
  what: string,
  value: unknown,
  path: string,
): ReadonlyMap<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return new Map(Object.entries(value));
  }
  return refuse(path || 'the file', `${what} as a JSON object`, value);
}

export const number =
  (min: number, max: number): Check =>
  (value, path) => {
    if (typeof value === 'number' && value >= min && value <= max) return;
    refuse(path, `a number from ${min} to ${max}`, value);
  };

export const whole =
  (min: number, max: number): Check =>
  (value, path) => {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
    refuse(path, `a whole number from ${min} to ${max}`, value);
  };

export const yesOrNo: Check = (value, path) => {
  if (typeof value !== 'boolean') refuse(path, 'true or false', value);
};

export const oneOf =
  (...words: readonly string[]): Check =>
  (value, path) => {
    if (!words.includes(value as string)) refuse(path, `one of ${words.join(', ')}`, value);
  };

/** A list of so many at least and at most, each of which passes. */
export const list =
  (what: string, each: Check, [min, max] = [0, Number.POSITIVE_INFINITY]): Check =>
  (value, path) => {
    const takes = `a list of ${what}`;
    if (!Array.isArray(value)) return refuse(path, takes, value);
    if (value.length < min) refuse(path, `${takes}, at least ${min}`, value);
    if (value.length > max) throw new Error(`${path} takes ${takes}, at most ${max}`);
    for (const [i, item] of value.entries()) each(item, `${path}[${i}]`);
  };

/** Throws for the first that was there before; `paths` are of the same length. */
export function unlike(values: readonly unknown[], pathOf: (index: number) => string): void {
  const first = new Map<unknown, number>();
  for (const [i, value] of values.entries()) {
    const before = first.get(value);
    if (before !== undefined) {
      throw new Error(`${pathOf(i)} is ${JSON.stringify(value)}, as ${pathOf(before)} is`);
    }
    first.set(value, i);
  }
}
