/** The Random of a real node: the operating system's. A uid must never come twice, on any machine. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '@rollcall/core';

/** The most that `randomInt` gives at once. */
const STEPS = 2 ** 48 - 1;

export const systemRandom: Random = {
  next: () => randomInt(STEPS) / STEPS,
  uid: () => randomBytes(8).toString('hex'),
};
