/** Names and keys as they come in real life, and the loads they make. */
import fc from 'fast-check';

export const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `order-${i}`);

/** Addresses of one subnet and port: as alike as addresses get. */
export const addresses = (count: number, salt = 0): string[] =>
  Array.from({ length: count }, (_, i) => `ws://10.${salt >> 8}.${salt & 255}.${i}:7355`);

export const someNames = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.oneof(fc.webUrl({ validSchemes: ['ws'] }), fc.string({ minLength: 1 })), {
    minLength,
    maxLength,
  });

/** How many of the keys go where. */
export function shares(
  names: readonly string[],
  wanted: readonly string[],
  ownerOf: (key: string) => string | undefined,
): Map<string, number> {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const key of wanted) {
    const owner = ownerOf(key);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}

/** The greatest load against the mean. */
export const peakOf = (counts: Iterable<number>): number => {
  const all = [...counts];
  return (Math.max(...all) * all.length) / all.reduce((sum, each) => sum + each, 0);
};
