/** Sets of defaults for the places where nodes run. */

/** Where a node runs; it chooses defaults and nothing else. */
export const PROFILES = ['lan', 'wan', 'local'] as const;
export type Profile = (typeof PROFILES)[number];

export const PROFILE_DEFAULTS: Readonly<Record<Profile, Readonly<Record<string, unknown>>>> = {
  lan: {},
  wan: {
    'detector.acceptablePause': 6_000,
    'detector.threshold': 12,
    'detector.probeTimeout': 2_000,
    'detector.probeRepeat': 500,
    'join.seedTimeout': 10_000,
    'downing.stableAfter': 30_000,
    'limits.handshake': 10_000,
  },
  local: {
    'heartbeat.interval': 500,
    'detector.acceptablePause': 1_500,
    'downing.stableAfter': 5_000,
  },
};
