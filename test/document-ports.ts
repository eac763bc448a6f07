/** Ports for the programs in documents: those that are written there stand for any that are free. */
import { findPort } from './processes/places.testing.js';

/** Ports that documents use; each program gets free ones in their place. */
export const PORTS = [7355, 7356, 7357, 7358, 7359];

export const freePorts = (): Promise<number[]> => Promise.all(PORTS.map(findPort));

export function swapped(text: string, from: readonly number[], to: readonly number[]): string {
  return from.reduce((t, port, i) => t.replaceAll(`:${port}`, `:${to[i]}`), text);
}
