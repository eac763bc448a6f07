/**
 * What actors say over the user lane. Others who use a node's messages see it as well, so it carries a mark, and what has
 * another is theirs.
 */
import { isText } from '@rollcall/core';

/** Why a watched actor is gone, as its node says it: it has stopped, or there was none. */
export type GoneWhy = 'stopped' | 'noActor';

export type Letter =
  | readonly [mark: string, kind: 'deliver', path: string, message: unknown]
  /** All that this watcher watches here of this block of its numbers; what it does not list is watched no more. */
  | readonly [
      mark: string,
      kind: 'watch',
      watcher: number,
      block: number,
      watches: readonly (readonly [id: number, path: string])[],
    ]
  /** Of what that watcher watches, by its numbers. Said again to whoever goes on watching. */
  | readonly [
      mark: string,
      kind: 'gone',
      watcher: number,
      gone: readonly (readonly [id: number, why: GoneWhy])[],
    ];

export const markOf = (system: string): string => `rollcall.actors.${system}`;

/** Undefined for what is somebody else's, or no letter. */
export function readLetter(mark: string, body: unknown): Letter | undefined {
  if (!Array.isArray(body) || body[0] !== mark) return undefined;
  const [, kind, first, second, third] = body as readonly unknown[];
  switch (kind) {
    case 'deliver':
      return typeof first === 'string' ? [mark, kind, first, second] : undefined;
    case 'watch':
      if (!isWhole(first) || !isWhole(second) || !isPairs<string>(third, isText)) return undefined;
      return [mark, kind, first, second, third];
    case 'gone':
      if (!isWhole(first) || !isPairs<GoneWhy>(second, isGoneWhy)) return undefined;
      return [mark, kind, first, second];
    default:
      return undefined;
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isGoneWhy = (value: unknown): boolean => value === 'stopped' || value === 'noActor';

const isPairs = <T>(
  value: unknown,
  fits: (second: unknown) => boolean,
): value is readonly (readonly [number, T])[] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && isWhole(pair[0]) && fits(pair[1]));
