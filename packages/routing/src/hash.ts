/**
 * Text to 32 bits, the same at every node: MurmurHash3 (Appleby 2011, x86 32) over UTF-16 code units, low
 * byte first. It reads the text in place, because a router hashes a key for every message and should leave nothing
 * to sweep up: with the hash of the membership rings, which is over UTF-8 bytes, a pick took twice as long and left
 * eight bytes. It is no defence: whoever chooses keys can make them collide.
 */

/** An unsigned 32-bit number; `seed` gives another hash of the same text. */
export function hash32(text: string, seed: number): number {
  let hash = seed | 0;
  const pairs = text.length & ~1;
  for (let i = 0; i < pairs; i += 2) {
    hash ^= scrambled(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (pairs < text.length) hash ^= scrambled(text.charCodeAt(pairs));
  return mixed(hash ^ (2 * text.length));
}

function scrambled(block: number): number {
  const product = Math.imul(block, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** Murmur's finalizer, a bijection: every bit of the input moves every bit of the output. Unsigned. */
export function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
