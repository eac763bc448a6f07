/**
 * What actors say over the user lane. Others who use a node's messages see it as well, so it carries a mark, and what has
 * another is theirs.
 */
import { isText } from '@rollcall/core';

/** Why a watched actor is gone, as its node says it: it has stopped, or there was none. */
export type GoneWhy = 'stopped' | 'noActor';

export type Letter =
  | readonly [mark: string, kind: 'deliver', path: string, message: unknown]
  /** All that its sender watches here of this block of its numbers; what it does not list is watched no more. */
  | readonly [
      mark: string,
      kind: 'watch',
      block: number,
      watches: readonly (readonly [id: number, path: string])[],
    ]
  /** Of what is watched, by the watcher's numbers. Said again to whoever goes on watching. */
  | readonly [mark: string, kind: 'gone', gone: readonly (readonly [id: number, why: GoneWhy])[]];

export const markOf = (system: string): string => `rollcall.actors.${system}`;

/** Undefined for what is somebody else's, or no letter. */
export function readLetter(mark: string, body: unknown): Letter | undefined {
  if (!Array.isArray(body) || body[0] !== mark) return undefined;
  const [, kind, first, second] = body as readonly unknown[];
  switch (kind) {
    case 'deliver':
      return typeof first === 'string' ? [mark, kind, first, second] : undefined;
    case 'watch':
      if (!Number.isSafeInteger(first) || !isPairs<string>(second, isText)) return undefined;
      return [mark, kind, first as number, second];
    case 'gone':
      return isPairs<GoneWhy>(first, isGoneWhy) ? [mark, kind, first] : undefined;
    default:
      return undefined;
  }
}

const isGoneWhy = (value: unknown): boolean => value === 'stopped' || value === 'noActor';

const isPairs = <T>(
  value: unknown,
  fits: (second: unknown) => boolean,
): value is readonly (readonly [number, T])[] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && Number.isSafeInteger(pair[0]) && fits(pair[1]));
