/**
 * What superjson would carry wrongly and say nothing: functions and symbols it leaves out, an instance of a class
 * arrives as a plain object, an invalid date as null, a Buffer as something nobody can read. A sender hears of it instead.
 */

const TYPED_ARRAYS = new Set<object>(
  [
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array],
    ...[Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ].map(({ prototype }) => prototype),
);
const LEAVES = new Set<object>([RegExp.prototype, URL.prototype, ...TYPED_ARRAYS]);
const PLAIN = new Set<object | null>([Object.prototype, Array.prototype, null]);

/** What is wrong with it and where, or undefined. `prototypes` are those of the classes that are named. */
export function sendability(value: unknown, prototypes: ReadonlySet<object>): string | undefined {
  return new Walk(prototypes).visit(value, []);
}

class Walk {
  readonly #prototypes: ReadonlySet<object>;
  /** Values from the root to here: one of them again is a circle. */
  readonly #open = new Set<object>();
  /** Looked at already: shared values are looked at once, or a few of them would take for ever. */
  readonly #done = new Set<object>();

  constructor(prototypes: ReadonlySet<object>) {
    this.#prototypes = prototypes;
  }

  visit(value: unknown, path: readonly string[]): string | undefined {
    if (typeof value === 'function') return `a function${at(path)}`;
    if (typeof value === 'symbol') return `a symbol${at(path)}`;
    if (typeof value !== 'object' || value === null || this.#done.has(value)) return undefined;
    if (this.#open.has(value)) return `it contains itself${at(path)}`;
    this.#open.add(value);
    const problem = this.#inside(value, path);
    this.#open.delete(value);
    this.#done.add(value);
    return problem;
  }

  #inside(value: object, path: readonly string[]): string | undefined {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (PLAIN.has(prototype)) return this.#each(Object.entries(value), path);
    if (prototype !== null && LEAVES.has(prototype)) return undefined;
    if (value instanceof Error) return this.visit(value.cause, [...path, 'cause']);
    if (prototype === Date.prototype)
      return Number.isNaN((value as Date).getTime()) ? `an invalid date${at(path)}` : undefined;
    if (prototype === Map.prototype) return this.#entries(value as Map<unknown, unknown>, path);
    if (prototype === Set.prototype)
      return this.#each(
        [...(value as Set<unknown>)].map((each, i) => [`${i}`, each]),
        path,
      );
    if (prototype !== null && this.#prototypes.has(prototype))
      return this.#each(Object.entries(value), path);
    return stranger(value, path);
  }

  #each(
    entries: readonly (readonly [string, unknown])[],
    path: readonly string[],
  ): string | undefined {
    for (const [name, value] of entries) {
      // Most values are none of these, and need no path made for them.
      if (!mayBeWrong(value)) continue;
      const problem = this.visit(value, [...path, name]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #entries(map: ReadonlyMap<unknown, unknown>, path: readonly string[]): string | undefined {
    const flat = [...map].flatMap(([key, value], i): (readonly [string, unknown])[] => [
      [`key ${i}`, key],
      [`value ${i}`, value],
    ]);
    return this.#each(flat, path);
  }
}

const mayBeWrong = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) ||
  typeof value === 'function' ||
  typeof value === 'symbol';

function stranger(value: object, path: readonly string[]): string {
  const name = value.constructor?.name ?? 'unnamed class';
  const isBytes = value instanceof Uint8Array;
  const remedy = isBytes ? 'send new Uint8Array(it)' : 'name its class in classes, or send fields';
  return `a ${name}${at(path)}: ${remedy}`;
}

const at = (path: readonly string[]): string =>
  path.length === 0 ? '' : ` at ${path.join(' > ')}`;
