/** The five protocols that studies compare, with the numbers of the published cut-off study. */
import {
  FOREVER_MS,
  SWIM_VARIANTS,
  type SwimOptions,
  type SwimVariant,
  swimOptions,
} from '@rollcall/failure-detector';

/** With the name that tables give them. */
export const PROTOCOLS: readonly (readonly [SwimVariant, string])[] = [
  ['swim', 'SWIM'],
  ['lifeguard', 'Lifeguard'],
  ['grace', '+ grace'],
  ['health', '+ health'],
  ['both', 'both'],
];

/** The two readings of the published study that differ most. */
export type CutOffModel = 'ticker' | 'published';

const MODELS = {
  ticker: { cadence: 'atOnce', gossipToDeadMs: FOREVER_MS },
  published: { cadence: 'nextTick', gossipToDeadMs: 30_000 },
} as const;

/** memberlist's numbers for a local network, but three confirmations; nothing that it has not. */
export function asStudied(variant: SwimVariant, model: CutOffModel): SwimOptions {
  return swimOptions('lan', MODELS[model], SWIM_VARIANTS[variant], {
    suspicionMult: 5,
    updatesPerPacket: 1_000_000,
    forgetDeadMs: FOREVER_MS,
    syncIntervalMs: 0,
    answerDead: false,
    recallDeadMs: 0,
    pauseGuardMs: 0,
  });
}
