/**
 * What actors say over the user lane. Others who use a node's messages see it as well, so it carries a mark, and what has
 * another is theirs.
 */

/** `watch` is always asked, and answered when there is something to say. */
export type Letter =
  | readonly [mark: string, kind: 'deliver', path: string, message: unknown]
  | readonly [mark: string, kind: 'watch', path: string];

/** What a watcher is answered: it has stopped, there is none, or it runs on and may be asked about again. */
export type Watched = 'stopped' | 'noActor' | 'runs';

export const markOf = (system: string): string => `rollcall.actors.${system}`;

/** Undefined for what is somebody else's. */
export function readLetter(mark: string, body: unknown): Letter | undefined {
  if (!Array.isArray(body) || body[0] !== mark) return undefined;
  const [, kind, path, message] = body as readonly unknown[];
  if (typeof path !== 'string') return undefined;
  if (kind === 'watch') return [mark, kind, path];
  return kind === 'deliver' ? [mark, kind, path, message] : undefined;
}
