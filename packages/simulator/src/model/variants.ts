/** All variants by name. */
import { historyVariants } from './history-variants.js';
import { decisionVariants, noteVariants } from './note-variants.js';
import { quorumVariants } from './quorum-variants.js';
import type { Variant } from './variant.js';

const inOrder = (a: Variant, b: Variant): number => (a.name < b.name ? -1 : 1);

export const variants: readonly Variant[] = [
  ...[...quorumVariants, ...historyVariants].sort(inOrder),
  ...decisionVariants,
  ...noteVariants,
];

export const variantNamed = (name: string): Variant | undefined =>
  variants.find((variant) => variant.name.toLowerCase() === name.toLowerCase());
