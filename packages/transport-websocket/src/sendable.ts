/**
 * What superjson would carry wrongly and say nothing: functions and symbols it leaves out, an instance of a class
 * arrives as a plain object, an invalid date as null, a hole in a list too, fields of a list not at all, a Buffer as something
 * nobody can read. A sender hears of it instead.
 */

const TYPED_ARRAYS = new Set<object>(
  [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ].map(({ prototype }) => prototype),
);
const LEAVES = new Set<object>([RegExp.prototype, URL.prototype, ...TYPED_ARRAYS]);
const PLAIN = new Set<object | null>([Object.prototype, null]);

/** What is wrong with it and where, or undefined. `prototypes` are those of the classes that are named. */
export function sendability(value: unknown, prototypes: ReadonlySet<object>): string | undefined {
  const wrong = mayBeWrong(value) ? new Walk(prototypes).visit(value) : undefined;
  if (wrong === undefined) return undefined;
  const { what, path, remedy } = wrong;
  const names = path.reverse();
  // The place in what was sent: that it is wrapped is nothing to its sender.
  if (isEnvelope(value)) names.shift();
  const where = names.length === 0 ? '' : ` at ${names.join(' > ')}`;
  return `${what}${where}${remedy === undefined ? '' : `: ${remedy}`}`;
}

const isEnvelope = (value: unknown): boolean =>
  Array.isArray(value) && ['tell', 'ask', 'answer'].includes(value[0]);

interface Wrong {
  readonly what: string;
  /** From the inside out: names are put down on the way back, and only where something is wrong. */
  readonly path: string[];
  readonly remedy?: string;
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

  visit(value: unknown): Wrong | undefined {
    if (typeof value === 'function') return { what: 'a function', path: [] };
    if (typeof value === 'symbol') return { what: 'a symbol', path: [] };
    if (typeof value !== 'object' || value === null || this.#done.has(value)) return undefined;
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype !== null && LEAVES.has(prototype)) return undefined;
    if (prototype === Date.prototype) {
      const isDate = !Number.isNaN((value as Date).getTime());
      return isDate ? undefined : { what: 'an invalid date', path: [] };
    }
    if (this.#open.has(value)) return { what: 'it contains itself', path: [] };
    this.#open.add(value);
    const wrong = this.#inside(value, prototype);
    this.#open.delete(value);
    this.#done.add(value);
    return wrong;
  }

  #inside(value: object, prototype: object | null): Wrong | undefined {
    if (prototype === Array.prototype) return misshapen(value as unknown[]) ?? this.#fields(value);
    if (PLAIN.has(prototype)) return this.#fields(value);
    if (value instanceof Error) return this.#part('cause', value.cause);
    if (prototype === Map.prototype) return this.#entries(value as Map<unknown, unknown>);
    if (prototype === Set.prototype) return this.#fields([...(value as Set<unknown>)]);
    if (prototype !== null && this.#prototypes.has(prototype)) return this.#fields(value);
    return stranger(value);
  }

  #fields(value: object): Wrong | undefined {
    for (const name of Object.keys(value)) {
      const wrong = this.#part(name, (value as Record<string, unknown>)[name]);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #entries(map: ReadonlyMap<unknown, unknown>): Wrong | undefined {
    let i = 0;
    for (const [key, value] of map) {
      const wrong = this.#part(`key ${i}`, key) ?? this.#part(`value ${i}`, value);
      if (wrong !== undefined) return wrong;
      i++;
    }
    return undefined;
  }

  #part(name: string, value: unknown): Wrong | undefined {
    if (!mayBeWrong(value)) return undefined;
    const wrong = this.visit(value);
    wrong?.path.push(name);
    return wrong;
  }
}

const mayBeWrong = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) ||
  typeof value === 'function' ||
  typeof value === 'symbol';

const lastOf = ({ length }: readonly unknown[]): string | undefined =>
  length === 0 ? undefined : `${length - 1}`;

/** A list with a hole in it, or with fields of its own. */
function misshapen(list: readonly unknown[]): Wrong | undefined {
  const names = Object.keys(list);
  // Indices come first, so that the last name says it.
  const isWhole = names.length === list.length && names.at(-1) === lastOf(list);
  if (isWhole) return undefined;
  const hole = list.findIndex((_, i) => !Object.hasOwn(list, i));
  if (hole >= 0)
    return { what: 'a hole in a list', path: [`${hole}`], remedy: 'say undefined there' };
  return { what: 'a field of a list', path: [`${names.at(-1)}`], remedy: 'send an object' };
}

function stranger(value: object): Wrong {
  const isBytes = value instanceof Uint8Array;
  return {
    what: `a ${value.constructor?.name ?? 'unnamed class'}`,
    path: [],
    remedy: isBytes ? 'send new Uint8Array(it)' : 'name its class in classes, or send fields',
  };
}
