/**
 * What a SWIM node can be told, each part of the protocol a switch of its own: plain SWIM, Lifeguard
 * and the two corrections are sets of options, and so is everything between them.
 */
import {
  checkCount,
  checkCountFrom0,
  checkDuration,
  checkPositiveDuration,
  DetectorSettingsError,
  durationMaxMs,
} from '../detector-settings.js';

export interface SwimOptions {
  readonly probeIntervalMs: number;
  /** How long a direct answer may take before helpers are asked. */
  readonly probeTimeoutMs: number;
  /** How many helpers are asked. */
  readonly helpers: number;
  /**
   * When the next probe begins after one that took the whole interval: `atOnce`, as a ticker that keeps
   * one tick does, or at the `nextTick`, so that probes which fail begin two intervals apart.
   */
  readonly cadence: 'atOnce' | 'nextTick';
  /** What a failed probe leads to; `nothing` only counts it. */
  readonly onFailure: 'nothing' | 'death' | 'suspicion';
  /** The least patience with a suspect: × max(1, log10 n) × probe interval. Less two, the confirmations that count. */
  readonly suspicionMult: number;
  /** The longest patience, as a multiple of the least. */
  readonly suspicionMaxMult: number;

  readonly gossipIntervalMs: number;
  readonly gossipFanout: number;
  /** How long the dead are still gossiped to, so that they hear of it and object. */
  readonly gossipToDeadMs: number;
  /** An update is sent this × ceil(log10(n + 1)) times. */
  readonly retransmitMult: number;
  readonly updatesPerPacket: number;
  /** Do updates ride on probes too, or only on gossip. */
  readonly piggyback: boolean;
  /** Everything is compared with somebody each so often; longer in large clusters. 0: never. */
  readonly syncIntervalMs: number;
  /** After this long the dead are left out of probes and syncs. Their incarnation is kept. */
  readonly forgetDeadMs: number;

  /** Lifeguard: the highest score of local health; the probe interval is × (score + 1). 0: no score. */
  readonly healthMax: number;
  /** Lifeguard: helpers that get no answer say so, and only silent helpers cost health. */
  readonly nacks: boolean;
  /** How long after it was asked. With `probeTimeoutMs`, below `probeIntervalMs` by what a packet takes there and back. */
  readonly nackAfterMs: number;
  /** Lifeguard: patience begins at its longest, and shrinks with each independent accuser. */
  readonly dynamicSuspicion: boolean;
  /** Lifeguard: whoever probes a suspect tells it so. */
  readonly tellSuspect: boolean;

  /** Correction: a confirmation that would convict at once waits so long, once per suspicion. 0: off. */
  readonly graceMs: number;
  /** Correction: patience is × (score + 1), asked for at each confirmation and when it seems to be over. */
  readonly healthScaledSuspicion: boolean;

  /** Accusers whose own health is in doubt confirm nothing. */
  readonly weighAccusers: boolean;
  /** A member that speaks though it is held dead is told so, and whoever is accused objects directly too. */
  readonly answerDead: boolean;
  /** One of the dead, forgotten or not, is called each so often; heals a split. 0: never. */
  readonly recallDeadMs: number;
  /** A timer later than this was a pause of this process: it blames nobody for it. 0: off. */
  readonly pauseGuardMs: number;
}

/** No end, as a duration. */
export const FOREVER_MS = durationMaxMs;

const lan: SwimOptions = {
  probeIntervalMs: 1_000,
  probeTimeoutMs: 500,
  helpers: 3,
  cadence: 'atOnce',
  onFailure: 'suspicion',
  suspicionMult: 4,
  suspicionMaxMult: 6,
  gossipIntervalMs: 200,
  gossipFanout: 3,
  gossipToDeadMs: 30_000,
  retransmitMult: 4,
  updatesPerPacket: 40,
  piggyback: true,
  syncIntervalMs: 30_000,
  forgetDeadMs: 30_000,
  healthMax: 7,
  nacks: true,
  nackAfterMs: 400,
  dynamicSuspicion: true,
  tellSuspect: true,
  graceMs: 2_000,
  healthScaledSuspicion: true,
  weighAccusers: true,
  answerDead: true,
  recallDeadMs: 10_000,
  pauseGuardMs: 500,
};

export type SwimProfile = 'lan' | 'wan' | 'local';

/**
 * memberlist's three sets of numbers, with every part switched on. The wait for a nack is Lifeguard's, 80 % of
 * the timeout, but not with `wan`: helpers are asked at 3 s, and 80 %, as the whole timeout that memberlist waits,
 * would end when the probe has, at 5 s. Whoever probes a dead member would take all its helpers for silent and itself for
 * unwell, and where unwell accusers confirm nothing a crash is noticed after three minutes. 1.5 s leave the way there and
 * back half a second; an answer that comes after the nack still counts, so an early one costs nothing.
 */
export const SWIM_PROFILES: Readonly<Record<SwimProfile, SwimOptions>> = {
  lan,
  wan: {
    ...lan,
    probeIntervalMs: 5_000,
    probeTimeoutMs: 3_000,
    nackAfterMs: 1_500,
    suspicionMult: 6,
    gossipIntervalMs: 500,
    gossipFanout: 4,
    gossipToDeadMs: 60_000,
    forgetDeadMs: 60_000,
    syncIntervalMs: 60_000,
    graceMs: 10_000,
    recallDeadMs: 60_000,
    pauseGuardMs: 2_500,
  },
  local: {
    ...lan,
    probeTimeoutMs: 200,
    nackAfterMs: 160,
    helpers: 1,
    suspicionMult: 3,
    retransmitMult: 2,
    gossipIntervalMs: 100,
    gossipToDeadMs: 15_000,
    forgetDeadMs: 15_000,
    syncIntervalMs: 15_000,
  },
};

const plain = {
  healthMax: 0,
  nacks: false,
  dynamicSuspicion: false,
  tellSuspect: false,
  graceMs: 0,
  healthScaledSuspicion: false,
  weighAccusers: false,
} satisfies Partial<SwimOptions>;
const lifeguard = {
  ...plain,
  healthMax: 7,
  nacks: true,
  dynamicSuspicion: true,
  tellSuspect: true,
} satisfies Partial<SwimOptions>;

export type SwimVariant = 'swim' | 'lifeguard' | 'grace' | 'health' | 'both';

/** The protocols of the literature, as differences from a profile. */
export const SWIM_VARIANTS: Readonly<Record<SwimVariant, Partial<SwimOptions>>> = {
  swim: plain,
  lifeguard,
  grace: { ...lifeguard, graceMs: 2_000 },
  health: { ...lifeguard, healthScaledSuspicion: true },
  both: { ...lifeguard, graceMs: 2_000, healthScaledSuspicion: true },
};

const counts = {
  suspicionMult: 1_000,
  suspicionMaxMult: 1_000,
  gossipFanout: 1_000,
  retransmitMult: 1_000,
  updatesPerPacket: 1_000_000,
} as const satisfies Partial<Record<keyof SwimOptions, number>>;
const positive = ['probeIntervalMs', 'probeTimeoutMs', 'gossipIntervalMs', 'nackAfterMs'] as const;
const durations = [
  ...(['gossipToDeadMs', 'syncIntervalMs', 'forgetDeadMs'] as const),
  ...(['graceMs', 'recallDeadMs', 'pauseGuardMs'] as const),
];
const words = {
  cadence: ['atOnce', 'nextTick'],
  onFailure: ['nothing', 'death', 'suspicion'],
} as const;

/**
 * A profile with differences, checked.
 * @throws DetectorSettingsError naming the option that cannot be meant
 */
export function swimOptions(
  profile: SwimProfile,
  ...differences: readonly Partial<SwimOptions>[]
): SwimOptions {
  const options: SwimOptions = Object.assign({}, SWIM_PROFILES[profile], ...differences);
  for (const name of positive) checkPositiveDuration(name, options[name]);
  for (const name of durations) checkDuration(name, options[name]);
  for (const [name, max] of Object.entries(counts)) {
    checkCount(name, options[name as keyof typeof counts], max);
  }
  for (const name of ['helpers', 'healthMax'] as const) checkCountFrom0(name, options[name], 1_000);
  for (const [name, allowed] of Object.entries(words)) {
    const value = options[name as keyof typeof words];
    if (!(allowed as readonly string[]).includes(value)) {
      throw new DetectorSettingsError(name, `must be ${allowed.join(' or ')}, not ${value}`);
    }
  }
  checkProbe(options);
  return options;
}

/** Helpers are asked at the timeout, say that nothing came some time later, and have until the next probe. */
function checkProbe(options: SwimOptions): void {
  const { probeIntervalMs, probeTimeoutMs, helpers, nacks, nackAfterMs } = options;
  if (probeTimeoutMs >= probeIntervalMs) {
    const why = 'helpers would have no time to answer';
    throw new DetectorSettingsError(
      'probeTimeoutMs',
      `must be below probeIntervalMs: ${probeTimeoutMs} is not below ${probeIntervalMs}, and ${why}`,
    );
  }
  const nackAtMs = probeTimeoutMs + nackAfterMs;
  if (nacks && helpers > 0 && nackAtMs >= probeIntervalMs) {
    const leftMs = probeIntervalMs - probeTimeoutMs;
    throw new DetectorSettingsError(
      'nackAfterMs',
      `with probeTimeoutMs must be below probeIntervalMs: ${probeTimeoutMs} + ${nackAfterMs} = ${nackAtMs} is not below ${probeIntervalMs}, ` +
        'so every nack would come when the probe has ended, and whoever probes a dead member would take itself for unwell; ' +
        `three quarters of what the timeout leaves (${(3 * leftMs) / 4}) are a good wait`,
    );
  }
}
