/** Classes of an application that survive in its messages, checked once. */
import { ClusterError } from '@rollcall/core';

/**
 * Classes by the name that they have on the wire, the same at every node: a name of one's own outlives minifiers and renames.
 * An instance arrives with its prototype and its own enumerable fields; no constructor runs, and `#private` fields
 * stay behind. What extends something built in cannot be carried that way.
 */
export type MessageClasses = Readonly<Record<string, new (...args: never[]) => object>>;

type Class = new () => object;

const BUILT_IN = [Error, Map, Set, Date, RegExp, URL, Array, ArrayBuffer, Promise];
const isView = (prototype: object): boolean =>
  prototype instanceof Object.getPrototypeOf(Uint8Array) || prototype instanceof DataView;

/** Throws ClusterError `badSetting`. */
export function checkClasses(classes: MessageClasses): readonly (readonly [string, Class])[] {
  return Object.entries(classes).map(([name, given]) => {
    const prototype: unknown = typeof given === 'function' ? given.prototype : undefined;
    if (typeof prototype !== 'object' || prototype === null)
      throw bad(`classes.${name} takes a class, not a ${typeof given}`);
    if (name === '') throw bad('classes takes a name for each class, as { Money }');
    const base = BUILT_IN.find((each) => prototype instanceof each);
    if (base !== undefined || isView(prototype))
      throw bad(
        `classes.${name} extends ${base?.name ?? 'a view of bytes'}, which has more in it than fields`,
      );
    return [name, given as unknown as Class] as const;
  });
}

const bad = (message: string): ClusterError =>
  new ClusterError('badSetting', message, { setting: 'classes' });
