/** All the house rules; each says of itself what goes wrong without it. */
import { arrowRules } from './arrows.js';
import { shapeRules } from './shape.js';
import type { Rule } from './tree.js';
import { wallRules } from './walls.js';
import { wordRules } from './words.js';

export const rules: readonly Rule[] = [...arrowRules, ...wallRules, ...shapeRules, ...wordRules];
