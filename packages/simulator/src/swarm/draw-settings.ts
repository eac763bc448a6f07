/**
 * Settings for a seed: every strategy that ships; in half of the seeds the defaults of a profile as they
 * are, in the other half everything that a user might turn, within reason.
 */
import { readSettings, type Settings } from '@rollcall/core';
import type { Dice } from './dice.js';

export type PlanSettings = Record<string, string | number>;

/** keep-majority is the default, and drawn twice as often as each of the others. */
const STRATEGIES = [
  'keep-majority',
  'keep-majority',
  'static-quorum',
  'keep-oldest',
  'down-all',
  'manual',
] as const;

/** What came later than the first seeds has dice of its own, so that all the rest of their plans is as it was. */
export interface LaterDice {
  readonly lease: Dice;
  readonly care: Dice;
}

/**
 * `size` is how many nodes start together, `total` how many there can ever be. Every seventh seed has
 * lease-majority in place of what it drew, and every second its own ideas of how carefully others are judged.
 */
export function drawSettings(
  dice: Dice,
  size: number,
  total: number,
  { lease, care }: LaterDice,
): PlanSettings {
  const strategy = dice.pick(STRATEGIES);
  const settings = dice.luck(0.5) ? ofProfile(dice) : ofChance(dice);
  settings['downing.strategy'] = strategy;
  if (strategy === 'static-quorum') {
    const most = dice.luck(0.8) ? total : size;
    settings['downing.quorum'] = Math.floor(most / 2) + 1;
  }
  if (care.luck(0.5)) Object.assign(settings, carefully(care));
  if (care.luck(1 / 8)) Object.assign(settings, bySwim(care));
  if (lease.luck(1 / 7)) return withLease(settings);
  return settings;
}

function withLease(settings: PlanSettings): PlanSettings {
  const { 'downing.quorum': _, ...rest } = settings;
  return { ...rest, 'downing.strategy': 'lease-majority' };
}

/** How others are judged: whether somebody is asked, how far this node trusts itself, who is held for coming and going. */
const carefully = (dice: Dice): PlanSettings => ({
  'detector.indirectProbes': dice.pick([0, 1, 3]),
  'detector.probeTimeout': dice.pick([50, 200, 500]),
  'localHealth.scoreMax': dice.pick([0, 1, 3, 7]),
  'localHealth.cleanIntervals': dice.pick([2, 10]),
  'damping.holdDown': dice.pick([0, 1_000, 5_000, 30_000]),
  'limits.relays': dice.pick([1, 2, 64]),
});

const bySwim = (dice: Dice): PlanSettings => ({
  'detector.kind': 'swim',
  'detector.profile': dice.pick(['local', 'local', 'lan']),
  'detector.variant': dice.pick(['full', 'full', 'swim', 'lifeguard', 'both']),
});

function ofProfile(dice: Dice): PlanSettings {
  const settings: PlanSettings = { profile: dice.pick(['local', 'local', 'lan', 'wan']) };
  if (dice.luck(0.5)) settings['downing.stableAfter'] = dice.pick([1_000, 3_000, 5_000]);
  return settings;
}

function ofChance(dice: Dice): PlanSettings {
  const interval = dice.pick([100, 200, 500, 1_000]);
  const settings: PlanSettings = {
    'heartbeat.interval': interval,
    'heartbeat.rings': dice.pick([1, 2, 3, 5, 5]),
    'detector.kind': dice.pick(['phi-normal', 'phi-normal', 'phi-exponential', 'deadline']),
    'detector.acceptablePause': interval * dice.pick([3, 3, 5]),
    'detector.firstReply': dice.pick([300, 1_000]),
    'agreement.observers': dice.pick([1, 2, 2, 3]),
    'downing.stableAfter': dice.pick([300, 1_000, 2_000, 5_000, 10_000]),
    'join.seedTimeout': dice.pick([300, 1_000, 3_000]),
    'join.retryAfter': dice.pick([500, 1_000, 3_000]),
    'join.giveUpAfter': dice.pick([10_000, 30_000]),
    'join.batchWindow': dice.pick([0, 50, 250]),
    'join.batchMax': dice.pick([0, 500, 2_000]),
    'join.recheckSeeds': dice.pick([500, 2_000, 10_000]),
    'gossip.batchWindow': dice.pick([0, 5, 50]),
    'gossip.farInterval': dice.pick([500, 2_000, 5_000]),
    'leave.timeout': dice.pick([500, 2_000, 10_000]),
    'leave.linger': dice.pick([0, 500, 5_000]),
    'limits.history': dice.pick([4, 16, 64]),
    'limits.joins': dice.pick([1, 4, 64]),
    'limits.guestLinks': dice.pick([1, 2, 10]),
    'limits.handshake': dice.pick([500, 3_000]),
    'limits.idleLink': dice.pick([1_000, 15_000]),
    'limits.reconnectMax': dice.pick([500, 3_000]),
  };
  if (dice.luck(0.3)) settings['downing.unstableAfter'] = dice.pick([100, 1_000, 10_000]);
  return settings;
}

/** Rough lengths that follow from the settings: they give faults and bounds their scale. */
export interface Pace {
  /** By when a silence is noticed by all, with room. */
  readonly detectMs: number;
  /** By when it is decided who stays, and by when those who do not have stopped. */
  readonly decideMs: number;
  /** By when nobody is held for having come and gone, and everybody trusts itself again. */
  readonly calmMs: number;
}

export const settingsOf = (settings: Readonly<PlanSettings>): Settings => readSettings(settings);

/** A round of probes, the longest patience with a suspect in a cluster of thirty, and gossip. */
const SWIM_MS = 60_000;

/** Faults last for a minute or two: too short for a hold-down to double more than twice. */
const DOUBLED = 4;

export function paceOf({ heartbeat, detector, downing, localHealth, damping }: Settings): Pace {
  const { interval } = heartbeat;
  const gaps = detector.kind === 'phi-exponential' ? 20 : 2;
  const silenceMs = gaps * interval + detector.acceptablePause + detector.firstReply;
  return {
    detectMs: detector.kind === 'swim' ? SWIM_MS : silenceMs,
    decideMs: downing.stableAfter + downing.unstableAfter,
    calmMs:
      DOUBLED * damping.holdDown +
      localHealth.scoreMax * (localHealth.cleanIntervals * interval + detector.acceptablePause),
  };
}
